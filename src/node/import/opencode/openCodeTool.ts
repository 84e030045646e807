import path from 'node:path';
import { isRecord } from '../../../base/isRecord';
import * as z from '../../../base/zod';
import { splitFrontMatter } from '../../../base/frontMatter';
import { markdownAgentSchema, yamlText } from '../../../engine';
import type { Found } from '../importItem';
import type { ImportTool, ScanContext } from '../importTool';
import { parsedYaml, readJsonFile } from '../readData';
import { attempt, type Changed, type ContentScan, filesIn, folderItem, toldWhereItIs } from '../scanContent';
import type { SourceFolder } from '../sourceFolder';
import { NO_ALLOWANCE, withoutAllow } from '../withoutAllow';
import { openCodeConfig, secretItem } from './openCodeConfig';
import { openCodeSessions } from './openCodeSession';

/** Settings and user content are in one folder, sessions and keys in another. */
export const OPENCODE: ImportTool = {
  id: 'opencode',
  name: 'OpenCode',
  folders: ({ home, env }) => {
    const [config, data] = [env['XDG_CONFIG_HOME'], env['XDG_DATA_HOME']];
    const named = env['OPENCODE_CONFIG_DIR'];
    return [
      ...(named ? [path.resolve(named)] : []),
      path.join(config ? path.resolve(config) : path.join(home, '.config'), 'opencode'),
      path.join(data ? path.resolve(data) : path.join(home, '.local', 'share'), 'opencode'),
    ];
  },
  owns: async (source) => {
    const names = new Set((await source.list()).map(({ name }) => name));
    const marks = ['opencode.json', 'opencode.jsonc', 'opencode.db', 'storage'];
    return /^\.?opencode$/.test(path.basename(source.root)) || marks.some((one) => names.has(one));
  },
  scan,
};

async function scan(source: SourceFolder, context: ScanContext): Promise<Found> {
  const found: Found = { items: [], problems: [] };
  const scanned = { source, found, secrets: context.secrets };
  await openCodeConfig(source, context, found);
  await content(scanned, context.isHome);
  await attempt(found, () => keys(source, found));
  await attempt(found, () => openCodeSessions(source, found));
  await attempt(found, async () => {
    if (!(await source.stat('opencode.db'))) return;
    const why = 'Cairn does not read the database of newer versions. Export sessions with opencode export.';
    const from = source.at('opencode.db');
    found.items.push({ kind: 'session', name: 'opencode.db', from, content: { type: 'left', why }, notes: [] });
  });
  return found;
}

async function content(scanned: ContentScan, isHome: boolean): Promise<void> {
  const { source, found } = scanned;
  for (const folder of ['agent', 'agents']) {
    if (isHome) await toldWhereItIs(scanned, 'agent', folder, (one) => one.endsWith('.md'));
    else
      await filesIn(scanned, [folder], ['.md'], { kind: 'agent', folder: 'agents', change: agentText(source, folder) });
  }
  for (const folder of ['mode', 'modes']) {
    const change = agentText(source, folder, 'primary');
    await filesIn(scanned, [folder], ['.md'], { kind: 'agent', folder: 'agents', change });
  }
  for (const folder of ['skill', 'skills']) {
    if (isHome && folder === 'skills') {
      await toldWhereItIs(scanned, 'skill', folder, (one) => one.endsWith('/SKILL.md'));
      continue;
    }
    await attempt(found, async () => {
      for (const { name, kind } of await source.list(folder)) {
        if (kind === 'folder') await folderItem(scanned, [folder, name], name, { kind: 'skill', folder: 'skills' });
      }
    });
  }
  for (const folder of ['command', 'commands']) {
    await filesIn(scanned, [folder], ['.md'], { kind: 'command', folder: 'commands' });
  }
}

const KNOWN = () => new Set(Object.keys(markdownAgentSchema.def.shape));

/** Keeps the supported front matter keys, since an agent with any other key fails to load. */
function agentText(source: SourceFolder, folder: string, mode?: string) {
  return async (text: string, file: string): Promise<Changed> => {
    const { head, headLine, body } = splitFrontMatter(text);
    const data = head === null ? {} : (await parsedYaml(head, source.at(folder, file), headLine)).data;
    const known = KNOWN();
    const fields = Object.entries(isRecord(data) ? data : {}).filter(([, value]) => value !== null);
    const kept = fields.filter(([key]) => known.has(key));
    const other = fields.flatMap(([key]) => (known.has(key) ? [] : [key]));
    const { kept: permission, isChanged } = withoutAllow(isRecord(data) ? data['permission'] : undefined);
    if (other.length === 0 && mode === undefined && head !== null && !isChanged) return { text, notes: [] };
    const own: Record<string, unknown> = { ...(mode !== undefined && { mode }), ...Object.fromEntries(kept) };
    if (permission === undefined) delete own['permission'];
    else own['permission'] = permission;
    const left = other.length > 0 ? [`Left out, because it has no meaning here: ${other.join(', ')}.`] : [];
    const notes = [...left, ...(isChanged ? [NO_ALLOWANCE] : [])];
    return { text: `---\n${await yamlText(own)}---\n${body}`, notes };
  };
}

const keysSchema = z.record(z.string(), z.looseObject({ type: z.string(), key: z.optional(z.string()) }));

/** Imports the keys in `auth.json`. Its sign-ins belong to OpenCode and are not imported. */
async function keys(source: SourceFolder, found: Found): Promise<void> {
  const file = await readJsonFile(source, ['auth.json']);
  const parsed = keysSchema.safeParse(file?.data ?? {});
  if (!parsed.data) {
    found.problems.push(`${source.at('auth.json')} is not a map of keys by provider, so none were imported.`);
    return;
  }
  for (const [provider, { type, key }] of Object.entries(parsed.data)) {
    const from = source.at('auth.json');
    if (type === 'api' && key !== undefined && key !== '') found.items.push(secretItem(provider, key, from));
    else {
      const why = 'A sign-in is valid only for the program it was made for. Sign in again in Cairn.';
      found.items.push({ kind: 'secret', name: provider, from, content: { type: 'left', why }, notes: [] });
    }
  }
}
