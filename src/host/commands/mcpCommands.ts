import * as vscode from 'vscode';
import { AbortError, isAbort } from '../../base/abort';
import { errorText } from '../../base/errorText';
import { EngineError, type KnownServer, launchText, type McpServers, type SignInPage, toolCount } from '../../engine';
import type { Command, Host } from '../host';
import { askInDialog } from '../shown/askInDialog';
import { notify, withCancel } from '../shown/notify';
import { pickRow } from '../shown/pickList';

const ALLOW = 'Allow';
const DENY = 'Never start';
const OPEN = 'Open in browser';
/** Longer ones do not fit a dialog: nobody allows what they cannot read to its end. */
const MAX_SHOWN = 1500;

interface At {
  servers: McpServers;
  host: Host;
}

/** Lists the MCP servers; what can be done with one is chosen next. */
export function manageMcpServers(host: Host): Command {
  return {
    async run() {
      const servers = await host.mcp.servers();
      const { servers: known, problems } = await servers.list(host.mcpPlace());
      for (const problem of problems) host.log.warn(problem);
      const rows = known.map((server) => ({
        icon: ICONS[server.consent.kind],
        label: server.id,
        description: stateOf(server),
        detail: launchText(server.launch),
        server,
      }));
      const wrong = problems.length > 0 ? ` (${problems.length} problems are in the log)` : '';
      const picked = await pickRow([...rows, { icon: 'go-to-file', label: 'Edit Your MCP Servers' }], {
        title: 'MCP Servers',
        placeHolder: `${rows.length > 0 ? 'Select a server' : 'No MCP servers yet'}${wrong}`,
        matchOnDetail: true,
      });
      if (!picked) return;
      if ('server' in picked)
        await actOn(
          { servers, host },
          known.find(({ id }) => id === picked.server.id),
        );
      else await openOwnFile(host);
    },
  };
}

const ICONS = { allowed: 'plug', denied: 'circle-slash', unasked: 'question', changed: 'warning' } as const;

function stateOf({ consent, tools, state }: KnownServer): string {
  if (consent.kind === 'unasked') return 'waits to be allowed';
  if (consent.kind === 'changed') return 'was changed since you allowed it';
  if (consent.kind === 'denied') return 'never started';
  const known = tools === undefined ? 'tools not known yet' : toolCount(tools);
  if (state.kind !== 'failed') return `${known}, ${state.kind}`;
  return state.wantsSignIn ? 'wants you to sign in' : `failed: ${state.why}`;
}

async function actOn(at: At, server: KnownServer | undefined): Promise<void> {
  if (!server) return;
  if (server.consent.kind !== 'allowed') return decide(at, server);
  const { state, launch } = server;
  const wantsSignIn = state.kind === 'failed' && state.wantsSignIn;
  const isRemote = launch.type !== 'stdio';
  const actions = [
    ...(wantsSignIn ? [SIGN_IN] : []),
    { icon: 'play', label: 'Start', act: start },
    ...(state.kind === 'starting' || state.kind === 'ready' ? [{ icon: 'debug-stop', label: 'Stop', act: stop }] : []),
    { icon: 'go-to-file', label: 'Open Its File', act: openFile },
    ...(isRemote && !wantsSignIn ? [SIGN_IN, SIGN_OUT] : []),
    ...(server.scope === 'workspace' ? [{ icon: 'circle-slash', label: 'Never Start', act: forbid }] : []),
  ];
  const action = await pickRow(actions, { title: server.id, placeHolder: 'Select an action for this server' });
  await action?.act(at, server);
}

/** Shows all that would be started, and remembers the answer for exactly that. */
async function decide(at: At, server: KnownServer): Promise<void> {
  const launch = launchText(server.launch);
  if (launch.length > MAX_SHOWN) {
    const text = `What the MCP server ${server.id} starts is too long to be shown in full, so it cannot be allowed here.`;
    if ((await notify('warning', text, 'Open File')) !== undefined) await openFile(at, server);
    return;
  }
  const { consent } = server;
  const before = consent.kind === 'changed' ? `\n\nYou allowed before:\n${consent.before}` : '';
  const verb = server.launch.type === 'stdio' ? 'start this program' : 'send what agents ask to this address';
  const answer = await askInDialog(
    {
      question: `Allow the MCP server “${server.id}” of ${vscode.workspace.asRelativePath(server.source.path)} to ${verb}?`,
      detail: `${launch}${before}`,
      exact: 'detail',
    },
    ALLOW,
    DENY,
  );
  if (answer === undefined) return;
  await at.servers.consents.remember(server, answer === ALLOW);
  if (answer === ALLOW) await start(at, server);
}

async function forbid({ servers }: At, server: KnownServer): Promise<void> {
  await servers.consents.remember(server, false);
  await servers.stop(server);
  void notify('info', `The MCP server ${server.id} will not be started.`);
}

async function start({ servers, host }: At, server: KnownServer): Promise<void> {
  try {
    const found = await withCancel(`Starting the MCP server ${server.id}`, (signal) => servers.start(server, signal));
    if (!found) return;
    for (const problem of found.problems) host.log.warn(`${server.id}: ${problem}`);
    void notify('info', `The MCP server ${server.id} is ready and has ${toolCount(found.tools.length)}.`);
  } catch (error) {
    host.log.error(`The MCP server ${server.id} did not start`, error);
    const choice = await notify('error', errorText(error), 'Show Log');
    if (choice) host.log.show();
  }
}

/** In the browser, once the person saw the whole address. */
async function signIn(at: At, server: KnownServer): Promise<void> {
  const { servers, host } = at;
  const page: SignInPage = { show: (address) => openSignIn(server, address) };
  try {
    const work = async (signal: AbortSignal) => {
      await servers.signIn(server, page, signal);
      return true;
    };
    if (await withCancel(`Signing in to the MCP server ${server.id}`, work)) await start(at, server);
  } catch (error) {
    if (isAbort(error)) return;
    host.log.error(`Signing in to the MCP server ${server.id} failed`, error);
    const choice = await notify('error', errorText(error), 'Show Log');
    if (choice) host.log.show();
  }
}

async function openSignIn({ id }: KnownServer, address: URL): Promise<undefined> {
  if (address.href.length > MAX_SHOWN) {
    throw new EngineError('denied', `The address at which ${id} has you sign in is too long to be shown whole.`);
  }
  const question = `Sign in to the MCP server “${id}” at ${address.host}?`;
  const detail = `Your browser opens this address:\n\n${address.href}`;
  const answer = await askInDialog({ question, detail, exact: 'detail', level: 'info' }, OPEN);
  // The editor writes a plus sign as itself, which means no blank then.
  const link = vscode.Uri.parse(address.href.replaceAll('+', '%20'), true);
  if (answer === undefined || !(await vscode.env.openExternal(link))) throw new AbortError();
}

async function signOut({ servers, host }: At, server: KnownServer): Promise<void> {
  try {
    const wasIn = await servers.signOut(server);
    void notify('info', wasIn ? `Signed out of ${server.id}.` : `You were not signed in to ${server.id}.`);
  } catch (error) {
    host.log.error(`Signing out of the MCP server ${server.id} failed`, error);
    void notify('error', errorText(error));
  }
}

const SIGN_IN = { icon: 'sign-in', label: 'Sign In', act: signIn };
const SIGN_OUT = { icon: 'sign-out', label: 'Sign Out', act: signOut };

async function stop({ servers }: At, server: KnownServer): Promise<void> {
  await servers.stop(server);
}

async function openFile(_: At, { source }: KnownServer): Promise<void> {
  const at = new vscode.Position(source.line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(source.path), { selection: new vscode.Range(at, at) });
}

/** Makes it when it is not there yet. */
async function openOwnFile({ files, mcp }: Host): Promise<void> {
  const path = mcp.ownFile;
  if (!(await files.find(path))) {
    await files.writeFile(path, new TextEncoder().encode('{\n  "mcpServers": {}\n}\n'));
  }
  await vscode.window.showTextDocument(vscode.Uri.file(path));
}
