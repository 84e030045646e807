import * as vscode from 'vscode';
import { AbortError, isAbort } from '../../base/abort';
import { errorText } from '../../base/errors';
import { t } from '../../base/l10n';
import { safeLine, safeText } from '../../base/shown/safeText';
import {
  EngineError,
  type KnownServer,
  type LogLine,
  type McpInput,
  type McpServers,
  type SignInPage,
  storedName,
} from '../../engine';
import type { Host } from '../host';
import { askText } from '../shown/askText';
import { askInDialog, notify, withCancel } from '../shown/notify';
import { openInBrowser } from '../shown/openInBrowser';
import { pickRow } from '../shown/pickList';
import { consentDetail } from './consentDetail';

/** Longer addresses do not fit in a dialog, and nobody should agree to what they cannot read in full. */
const MAX_SHOWN = 1500;

/** What server actions work with. */
export interface At {
  servers: McpServers;
  host: Host;
  /** Whether the user sees the servers' state, so that the outcome of a start needs no notification. */
  isSeen?: boolean;
}

/** Shows everything that would be started and remembers the answer for exactly that. */
export async function decide(at: At, server: KnownServer): Promise<void> {
  const detail = consentDetail(server);
  if (detail === undefined) {
    const text = t(
      'What the MCP server {0} starts is too long to be shown in full, so it cannot be allowed here.',
      server.id,
    );
    if (await notify('warning', text, { title: t('Open File'), means: 'open' })) await openFile(at, server);
    return;
  }
  const place = vscode.workspace.asRelativePath(server.source.path);
  const question =
    server.launch.type === 'stdio'
      ? t('Allow the MCP server “{0}” of {1} to start this program?', server.id, place)
      : t('Allow the MCP server “{0}” of {1} to send what agents ask to this address?', server.id, place);
  const answer = await askInDialog(
    {
      question,
      detail,
      exact: 'detail',
    },
    { title: t('Allow'), means: 'allow' },
    { title: t('Never start'), means: 'never' },
  );
  if (answer === undefined) return;
  await at.servers.consents.remember(server, answer === 'allow');
  if (answer === 'allow') await start(at, server);
}

/** Stops the server and never starts it again. */
export async function forbid({ servers }: At, server: KnownServer): Promise<void> {
  await servers.consents.remember(server, false);
  await servers.stop(server);
  void notify('info', t('The MCP server {0} will not be started.', server.id));
}

/** Starts the server at the user's request and reports the result. */
export async function start({ servers, host, isSeen }: At, server: KnownServer): Promise<void> {
  try {
    for (const input of await servers.missingInputs(server)) {
      const value = await askInput(server, input);
      if (value === undefined) return;
      await host.secrets.set(storedName(input.secret), value);
    }
    const found = await withCancel(t('Starting the MCP server {0}', server.id), (signal) =>
      servers.start(server, signal),
    );
    if (!found) return;
    for (const problem of found.problems) host.log.warn(`${server.id}: ${problem}`);
    if (isSeen) return;
    const count = found.tools.length;
    const words =
      count === 1
        ? t('The MCP server {0} is ready and has 1 tool.', server.id)
        : t('The MCP server {0} is ready and has {1} tools.', server.id, count);
    void notify('info', words);
  } catch (error) {
    host.log.error(`The MCP server ${server.id} did not start`, error);
    if (isSeen) return;
    const choice = await notify('error', errorText(error), { title: t('Show Log'), means: 'log' });
    if (choice) await showServerLog(servers, server);
  }
}

/** The text comes from a file, whose path is shown with it. */
async function askInput({ id, source }: KnownServer, input: McpInput): Promise<string | undefined> {
  const title = t('MCP server {0}: {1}', id, input.id);
  const prompt = t('{0} asks: {1}', vscode.workspace.asRelativePath(source.path), input.description || input.id);
  if (input.options.length > 0) {
    const picked = await pickRow(
      input.options.map((label) => ({ label })),
      { title, placeHolder: prompt },
    );
    return picked?.label;
  }
  const isEmpty = (text: string) => (text === '' ? t('Enter a value.') : undefined);
  return askText({ title, prompt, password: input.isHidden, ignoreFocusOut: true, validateInput: isEmpty });
}

/** Signs in through the browser, after the user has seen the full address. */
export async function signIn(at: At, server: KnownServer): Promise<void> {
  const { servers, host } = at;
  const page: SignInPage = { show: (address) => openSignIn(server, address) };
  try {
    const work = async (signal: AbortSignal) => {
      await servers.signIn(server, page, signal);
      return true;
    };
    if (await withCancel(t('Signing in to the MCP server {0}', server.id), work)) await start(at, server);
  } catch (error) {
    if (isAbort(error)) return;
    host.log.error(`Signing in to the MCP server ${server.id} failed`, error);
    const choice = await notify('error', errorText(error), { title: t('Show Log'), means: 'log' });
    if (choice) host.log.show();
  }
}

async function openSignIn({ id }: KnownServer, address: URL): Promise<undefined> {
  if (address.href.length > MAX_SHOWN) {
    throw new EngineError('denied', t('The sign-in address of {0} is too long to be shown in full.', id));
  }
  const question = t('Sign in to the MCP server “{0}” at {1}?', id, address.host);
  const detail = t('Your browser opens this address:\n\n{0}', address.href);
  const answer = await askInDialog(
    { question, detail, exact: 'detail', level: 'info' },
    { title: t('Open in browser'), means: 'open' },
  );
  if (answer === undefined || !(await openInBrowser(address.href))) throw new AbortError();
}

/** Deletes the stored sign-in. */
export async function signOut({ servers, host }: At, server: KnownServer): Promise<void> {
  try {
    const wasIn = await servers.signOut(server);
    void notify('info', wasIn ? t('Signed out of {0}.', server.id) : t('You were not signed in to {0}.', server.id));
  } catch (error) {
    host.log.error(`Signing out of the MCP server ${server.id} failed`, error);
    void notify('error', errorText(error));
  }
}

/** Stops the server until the next call. */
export async function stop({ servers }: At, server: KnownServer): Promise<void> {
  await servers.stop(server);
}

/** Opens the file at the line that defines the server. */
export async function openFile(_: At, { source }: KnownServer): Promise<void> {
  const at = new vscode.Position(source.line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(source.path), { selection: new vscode.Range(at, at) });
}

/** Opens the user's own file, creating it if necessary. */
export async function openOwnFile({ files, mcp }: Host): Promise<void> {
  const path = mcp.ownFile;
  if (!(await files.find(path))) {
    await files.writeFile(path, new TextEncoder().encode('{\n  "mcpServers": {}\n}\n'));
  }
  await vscode.window.showTextDocument(vscode.Uri.file(path));
}

/** Keyed by the servers they belong to, so that they end together. */
const shown = new WeakMap<McpServers, Map<string, vscode.OutputChannel>>();

/** Shows a server's activity, output, and messages in a separate output channel, which keeps updating. */
export async function showServerLog(servers: McpServers, server: KnownServer): Promise<void> {
  const channels = shown.get(servers) ?? new Map<string, vscode.OutputChannel>();
  shown.set(servers, channels);
  const name = `Cairn: ${safeLine(server.id, 60, 'exact')} (${server.source.path})`;
  const known = channels.get(name);
  if (known) {
    known.show(true);
    return;
  }
  const channel = vscode.window.createOutputChannel(name);
  channels.set(name, channel);
  const end = () => {
    channels.delete(name);
    channel.dispose();
  };
  await servers.followLog(server, { onLine: (line) => channel.appendLine(lineText(line)), onEnd: end });
  channel.show(true);
}

const FROM = { cairn: 'Cairn', stderr: 'error output', server: 'server' } as const;

function lineText({ time, from, text }: LogLine): string {
  return `${new Date(time).toLocaleTimeString()} [${FROM[from]}] ${safeText(text)}`;
}
