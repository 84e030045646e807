import path from 'node:path';
import { readDotEnv } from '../../../base/dotEnv';
import { isRecord } from '../../../base/isRecord';
import * as z from '../../../base/zod';
import { EngineError } from '../../../engine';
import type { Found } from '../importItem';
import type { ImportTool, ScanContext } from '../importTool';
import { issueText, readJsonFile } from '../readData';
import { attempt, folderItem, toldWhereItIs } from '../scanContent';
import { serverItems } from '../serverItems';
import type { SourceFolder } from '../sourceFolder';
import { geminiSessions } from './geminiSession';

const ELSEWHERE = 'Cairn reads them below .gemini/commands of a workspace, or of your home folder. Copy them there.';
const TOLD = new Set(['mcpServers', '$schema']);

export const GEMINI: ImportTool = {
  id: 'gemini',
  name: 'Gemini CLI',
  folders: ({ home, env }) => {
    const named = env['GEMINI_CLI_HOME'];
    return [path.join(named ? path.resolve(named) : home, '.gemini')];
  },
  owns: async (source) => {
    const names = new Set((await source.list()).map(({ name }) => name));
    return path.basename(source.root) === '.gemini' || (names.has('GEMINI.md') && names.has('settings.json'));
  },
  scan,
};

async function scan(source: SourceFolder, context: ScanContext): Promise<Found> {
  const found: Found = { items: [], problems: [] };
  const scanned = { source, found, secrets: context.secrets };
  await attempt(found, () => settings(source, context, found));
  await attempt(found, async () => {
    for (const { name, kind } of await source.list('skills')) {
      if (kind === 'folder') await folderItem(scanned, ['skills', name], name, { kind: 'skill', folder: 'skills' });
    }
  });
  await toldWhereItIs(
    scanned,
    'command',
    'commands',
    (one) => one.endsWith('.toml'),
    context.isHome ? undefined : ELSEWHERE,
  );
  await attempt(found, async () => {
    const { text = '' } = (await source.readText(['.env'])) ?? {};
    for (const [name, value] of readDotEnv(text)) {
      if (value === '') continue;
      const item = { kind: 'secret', name, from: source.at('.env'), notes: [] } as const;
      found.items.push({ ...item, content: { type: 'secret', value } });
    }
  });
  await attempt(found, () => geminiSessions(source, found));
  return found;
}

const schema = z.looseObject({ mcpServers: z.optional(z.unknown()) });

async function settings(source: SourceFolder, context: ScanContext, found: Found): Promise<void> {
  const file = await readJsonFile(source, ['settings.json']);
  if (!file) return;
  const parsed = schema.safeParse(file.data);
  if (!parsed.data) throw new EngineError('invalid-input', `${source.at('settings.json')}: ${issueText(parsed.error)}`);
  const at = { place: (id: string) => file.place(['mcpServers', id]), folder: source.root };
  await serverItems(withTypes(parsed.data.mcpServers), at, context, found);
  const others = Object.keys(parsed.data).filter((key) => !TOLD.has(key));
  if (others.length === 0) return;
  const why = `Cairn has settings of its own, so these were left out: ${others.join(', ')}.`;
  const item = { kind: 'settings', name: 'settings.json', from: source.at('settings.json'), notes: [] } as const;
  found.items.push({ ...item, content: { type: 'left', why } });
}

/** Adds transport types: in Gemini CLI a bare `url` means the older transport, and `httpUrl` the newer one. */
function withTypes(servers: unknown): unknown {
  if (!isRecord(servers) || Array.isArray(servers)) return servers;
  const typed = Object.entries(servers).map(([id, server]) => {
    const isOld = isRecord(server) && server['url'] !== undefined && server['type'] === undefined;
    return [id, isOld ? { ...server, type: 'sse' } : server];
  });
  return Object.fromEntries(typed) as unknown;
}
