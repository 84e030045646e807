import path from 'node:path';
import { readDotEnv } from '../../../base/dotEnv';
import { isRecord } from '../../../base/isRecord';
import type { Found } from '../importItem';
import type { ImportTool, Places, ScanContext } from '../importTool';
import { readJsonFile } from '../readData';
import { attempt } from '../scanContent';
import { serverItems } from '../serverItems';
import type { SourceFolder } from '../sourceFolder';
import { coyoteContent } from './coyoteContent';
import { coyoteSession } from './coyoteSession';
import { coyoteSettings } from './coyoteSettings';

export const COYOTE = familyTool('coyote', 'Coyote');
export const AICHAT = familyTool('aichat', 'AIChat');

/** Coyote and AIChat use the same layout, because one started as a fork of the other. */
function familyTool(id: 'coyote' | 'aichat', name: string): ImportTool {
  return {
    id,
    name,
    folders: (places) => configFolders(id, places),
    owns: async (source) => {
      const names = new Set((await source.list()).map((entry) => entry.name));
      const isFamily = ['roles', 'functions', 'macros', 'sessions', 'rags'].some((one) => names.has(one));
      const isAichat = path.basename(source.root) === 'aichat' || (await isAichatFolder(source));
      return (isFamily || names.has('config.yaml')) && isAichat === (id === 'aichat') && !(await isGoose(source));
    },
    scan: (source, context) => scan(source, context, name),
  };
}

async function isAichatFolder(source: SourceFolder): Promise<boolean> {
  const agents = await source.list('functions', 'agents');
  return agents.some(({ kind }) => kind === 'folder');
}

async function isGoose(source: SourceFolder): Promise<boolean> {
  const text = (await source.readText(['config.yaml']).catch(() => undefined))?.text ?? '';
  return /^(?:GOOSE_\w+|extensions):/m.test(text);
}

function configFolders(id: string, { home, env, platform }: Places): string[] {
  const named = env[`${id.toUpperCase()}_CONFIG_DIR`];
  if (named) return [path.resolve(named)];
  const xdg = env['XDG_CONFIG_HOME'];
  const system =
    platform === 'darwin'
      ? [path.join(home, 'Library', 'Application Support', id)]
      : platform === 'win32' && env['APPDATA']
        ? [path.join(env['APPDATA'], id)]
        : [];
  return [path.join(xdg ? path.resolve(xdg) : path.join(home, '.config'), id), ...system];
}

async function scan(source: SourceFolder, context: ScanContext, tool: string): Promise<Found> {
  const found: Found = { items: [], problems: [] };
  const { secrets } = context;
  await coyoteSettings(source, context, found);
  await coyoteContent({ source, found, secrets }, context.isHome);
  for (const parts of [['functions', 'mcp.json'], ['mcp.json']]) {
    await attempt(found, async () => {
      const file = await readJsonFile(source, parts);
      const servers = isRecord(file?.data) ? file.data['mcpServers'] : undefined;
      if (!file) return;
      const folder = path.dirname(source.at(...parts));
      await serverItems(servers, { place: (id) => file.place(['mcpServers', id]), folder }, context, found);
    });
  }
  for (const parts of [['.env'], ['functions', '.env']]) await variables(source, parts, found);
  await sessions(source, [], undefined, tool, found);
  for (const { name, kind } of await source.list('agents').catch(() => [])) {
    if (kind === 'folder') await sessions(source, ['agents', name], name, tool, found);
  }
  return found;
}

/** Imports environment variables into the vault if the user wants that, never into a file that others can read. */
async function variables(source: SourceFolder, parts: readonly string[], found: Found): Promise<void> {
  await attempt(found, async () => {
    const read = await source.readText(parts);
    for (const [name, value] of readDotEnv(read?.text ?? '')) {
      if (value === '') continue;
      found.items.push({
        kind: 'secret',
        name,
        from: source.at(...parts),
        notes: [],
        content: { type: 'secret', value },
      });
    }
  });
}

async function sessions(
  source: SourceFolder,
  below: readonly string[],
  agent: string | undefined,
  tool: string,
  found: Found,
): Promise<void> {
  await attempt(found, async () => {
    const { files } = await source.below(...below, 'sessions');
    for (const file of files.filter((one) => /\.ya?ml$/.test(one))) {
      const parts = [...below, 'sessions', ...file.split('/')];
      const name = file.replace(/\.ya?ml$/, '').replace(/^_\/\d{8}T\d{6}-?/, '') || file;
      found.items.push(coyoteSession({ source, parts, name, agent, tool }));
    }
  });
}
