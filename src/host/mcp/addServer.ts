import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import {
  addressServer,
  EngineError,
  isAddress,
  type KnownServer,
  lineServer,
  nameForServer,
  OUR_SERVER_FILE,
  packageServer,
  SERVER_TEMPLATES,
  type WrittenServer,
} from '../../engine';
import type { Command, Host } from '../host';
import { askText } from '../shown/askText';
import { notify } from '../shown/notify';
import { pickRow, type PickRow } from '../shown/pickList';
import { type At, decide, openFile, start } from './serverActions';

/** A way to specify the server to add. `read` returns undefined for input that cannot be a server. */
interface Way {
  prompt: () => string;
  wrong: () => string;
  read: (text: string) => WrittenServer | undefined;
  /** The initial text of the input box. */
  before?: string;
}

interface WayRow extends PickRow {
  way?: Way;
}

/** Asks for a server and a location, writes it there, and opens the file at the entry. It is started like any other server. */
export function addMcpServer(host: Host): Command {
  return {
    async run() {
      const title = t('Add MCP Server');
      const placeHolder = t('Choose what to add');
      const picked = await pickRow(ways(), { title, placeHolder, matchOnDetail: true, ignoreFocusOut: true });
      const server = picked?.way && (await askServer(title, picked.way));
      const file = server && (await pickFile(host, title));
      if (!server || file === undefined) return;
      const { readServers } = await import('../../node/mcp/ownServerFile');
      const taken = Object.keys(await readServers(file, host.files));
      const name = await askText({
        title,
        prompt: t('Name of the server'),
        value: nameForServer(server, taken),
        ignoreFocusOut: true,
        validateInput: (text) => wrongName(text, taken),
      });
      if (name !== undefined) await write(host, { file, name, server });
    },
  };
}

function wrongName(text: string, taken: readonly string[]): string | undefined {
  if (!/^\w[\w. -]{0,99}$/.test(text)) return t('Use letters, digits, spaces, “_”, “.”, and “-”.');
  return taken.includes(text) ? t('A server with this name already exists.') : undefined;
}

async function askServer(title: string, { prompt, wrong, read, before }: Way): Promise<WrittenServer | undefined> {
  const typed = await askText({
    title,
    prompt: prompt(),
    ...(before !== undefined && { value: before }),
    ignoreFocusOut: true,
    validateInput: (text) => (read(text.trim()) ? undefined : wrong()),
  });
  return typed === undefined ? undefined : read(typed.trim());
}

function ways(): WayRow[] {
  const wrongPackage = () => t('Enter the name of a package.');
  const row = (label: string, detail: string, way: Way): WayRow => ({ label, detail, way });
  return [
    row(t('Command line'), 'npx -y @modelcontextprotocol/server-memory', COMMAND),
    row(t('Address'), 'https://mcp.example.org', ADDRESS),
    row(t('npm package'), t('started with {0}', 'npx'), {
      prompt: () => t('Package, for example {0}', '@modelcontextprotocol/server-memory'),
      wrong: wrongPackage,
      read: (text) => packageServer('npm', text),
    }),
    row(t('PyPI package'), t('started with {0}', 'uvx'), {
      prompt: () => t('Package, for example {0}', 'mcp-server-fetch'),
      wrong: wrongPackage,
      read: (text) => packageServer('pypi', text),
    }),
    row(t('Docker image'), t('started with {0}', 'docker'), {
      prompt: () => t('Image, for example {0}', 'mcp/fetch'),
      wrong: () => t('Enter the name of an image.'),
      read: (text) => packageServer('docker', text),
    }),
    { label: t('Templates'), kind: vscode.QuickPickItemKind.Separator },
    ...SERVER_TEMPLATES.map(([name, before]) =>
      row(name, before, { ...(isAddress(before) ? ADDRESS : COMMAND), before }),
    ),
  ];
}

const COMMAND: Way = {
  prompt: () => t('Command with its arguments; variables such as {0} may come first', 'KEY={{SECRET}}'),
  wrong: () => t('Enter a command. A quote that is opened has to be closed.'),
  read: lineServer,
};
const ADDRESS: Way = {
  prompt: () => t('Address of the server'),
  wrong: () => t('Enter an address that begins with {0}.', 'https://'),
  read: (text) => addressServer(text),
};

/** Returns an absolute path. The workspace is offered only if it is trusted. */
async function pickFile(host: Host, title: string): Promise<string | undefined> {
  const { ownFile } = host.mcp;
  const { workspace, isHeard } = host.mcpPlace();
  if (!isHeard) return ownFile;
  const theirs = host.paths.resolve(workspace, ...OUR_SERVER_FILE);
  const rows = [
    {
      icon: 'account',
      label: t('Yours'),
      description: t('in every folder that you open'),
      detail: ownFile,
      file: ownFile,
    },
    {
      icon: 'root-folder',
      label: t('This workspace'),
      description: t('for everyone who works in it'),
      detail: vscode.workspace.asRelativePath(theirs),
      file: theirs,
    },
  ];
  return (await pickRow(rows, { title, placeHolder: t('Choose a location'), ignoreFocusOut: true }))?.file;
}

async function write(
  host: Host,
  { file, name, server }: { file: string; name: string; server: WrittenServer },
): Promise<void> {
  const { changeServers } = await import('../../node/mcp/ownServerFile');
  const add = (servers: WrittenServer): WrittenServer => {
    if (!Object.hasOwn(servers, name)) return { ...servers, [name]: server };
    throw new EngineError('exists', t('A server with this name already exists.'));
  };
  await changeServers(file, add, host.files);
  const servers = await host.mcp.servers();
  const { servers: all } = await servers.list(host.mcpPlace());
  const known = all.find(({ id, source }) => id === name && source.path === file);
  if (!known) {
    await vscode.window.showTextDocument(vscode.Uri.file(file));
    return;
  }
  const at = { servers, host };
  await openFile(at, known);
  // Not awaited, so that the servers page shows the new server right away.
  offerStart(at, known).catch((error: unknown) => host.log.error(`The MCP server ${name} did not start`, error));
}

async function offerStart(at: At, server: KnownServer): Promise<void> {
  const words = t('The MCP server {0} was added.', server.id);
  const choice = await notify('info', words, { title: t('Start'), means: 'start' });
  if (choice) await (server.consent.kind === 'allowed' ? start : decide)(at, server);
}
