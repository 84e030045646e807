import path from 'node:path';
import { splitFrontMatter } from '../../base/frontMatter';
import { isRecord } from '../../base/isRecord';
import * as z from '../../base/zod';
import { EngineError, markdownAgentSchema, openCodeServers, PROVIDER_KEYS, yamlText } from '../../engine';
import type { Found, ImportItem } from './importItem';
import type { ImportTool, ScanContext } from './importTool';
import { LIMITS, limitsIn, NO_ALLOWANCE, ruleItems, switchedOff } from './openCodePermissions';
import { openCodeSessions } from './openCodeSession';
import { issueText, type JsonFile, parsedYaml, readJsonFile } from './readData';
import { attempt, type Changed, type ContentScan, filesIn, folderItem, toldWhereItIs } from './scanContent';
import { serverItems } from './serverItems';
import type { SourceFolder } from './sourceFolder';

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
    const { limits, isChanged } = limitsIn(isRecord(data) ? data : {});
    if (other.length === 0 && mode === undefined && head !== null && !isChanged) return { text, notes: [] };
    const others = kept.filter(([key]) => !LIMITS.includes(key));
    const own = { ...(mode !== undefined && { mode }), ...Object.fromEntries([...others, ...limits]) };
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

const configSchema = z.looseObject({
  model: z.catch(z.optional(z.string()), undefined),
  agent: z.optional(z.unknown()),
  agents: z.optional(z.unknown()),
  mode: z.optional(z.unknown()),
  command: z.optional(z.unknown()),
  commands: z.optional(z.unknown()),
  mcp: z.optional(z.unknown()),
  permission: z.optional(z.unknown()),
  permissions: z.optional(z.unknown()),
  tools: z.optional(z.unknown()),
  provider: z.optional(z.unknown()),
});
const agentSchema = z.looseObject({ prompt: z.optional(z.string()) });
const commandSchema = z.looseObject({ template: z.string() });
const providerSchema = z.looseObject({
  options: z.optional(z.looseObject({ apiKey: z.optional(z.string()), baseURL: z.optional(z.string()) })),
});

/** Agent keys that mean the same in Cairn. */
const AGENT_KEYS = new Set([
  ...['description', 'mode', 'model', 'temperature', 'top_p', 'steps', 'maxSteps', 'hidden', 'disable', 'tools'],
  ...['permission', 'permissions', 'reasoningEffort'],
]);
const COMMAND_KEYS = new Set(['description', 'agent', 'model', 'subtask']);
const TOLD = new Set([...Object.keys(configSchema.def.shape), '$schema']);

/** Imports `opencode.json` or `opencode.jsonc`. */
async function openCodeConfig(source: SourceFolder, context: ScanContext, found: Found): Promise<void> {
  for (const name of ['config.json', 'opencode.json', 'opencode.jsonc']) {
    await attempt(found, async () => {
      const file = await readJsonFile(source, [name]);
      if (!file) return;
      const parsed = configSchema.safeParse(file.data);
      if (!parsed.data) throw new EngineError('invalid-input', `${source.at(name)}: ${issueText(parsed.error)}`);
      await readConfig(parsed.data, { source, file, context, found, name });
    });
  }
}

interface ConfigPlace {
  source: SourceFolder;
  file: JsonFile;
  context: ScanContext;
  found: Found;
  name: string;
}

async function readConfig(data: z.infer<typeof configSchema>, at: ConfigPlace): Promise<void> {
  const { found, source, name } = at;
  await model(data.model, at);
  for (const key of ['agent', 'agents', 'mode'] as const)
    await entries(data[key], key, at, (id, value) => agentItem(id, value, key, at));
  for (const key of ['command', 'commands'] as const)
    await entries(data[key], key, at, (id, value) => commandItem(id, value, key, at));
  await servers(data.mcp, at);
  for (const key of ['permission', 'permissions'] as const) ruleItems(data[key], key, at);
  ruleItems(switchedOff(data.tools), 'tools', at);
  await entries(data.provider, 'provider', at, (id, value) => Promise.resolve(keyItem(id, value, at)));
  const others = Object.keys(data).filter((key) => !TOLD.has(key));
  if (others.length === 0) return;
  const why = `Cairn has settings of its own, so these were left out: ${others.join(', ')}.`;
  found.items.push({ kind: 'settings', name, from: source.at(name), content: { type: 'left', why }, notes: [] });
}

/** Imports servers by name, as in version 1, and those under `servers`, as in version 2. */
async function servers(written: unknown, { file, source, context, found }: ConfigPlace): Promise<void> {
  const all = isRecord(written) && !Array.isArray(written) ? openCodeServers(written, ['mcp']) : undefined;
  const places = new Map(all?.map(({ id, where }) => [id, where]));
  const place = (id: string) => file.place(places.get(id) ?? ['mcp', id]);
  const byName = all ? Object.fromEntries(all.map(({ id, fields }) => [id, fields])) : written;
  await serverItems(byName, { place, folder: source.root }, context, found);
}

async function model(written: string | undefined, { file, found, context }: ConfigPlace): Promise<void> {
  const [, provider, id] = /^([^/]+)\/(.+)$/.exec(written ?? '') ?? [];
  if (provider === undefined) return;
  const from = file.place(['model']);
  const isKnown = PROVIDER_KEYS.some((one) => one.id === provider);
  const why = `Cairn has no provider “${provider}”. Choose a model in Cairn.`;
  const text = await yamlText({ model: `${provider}:${id ?? ''}` });
  const content = isKnown
    ? ({ type: 'settings', text, secrets: new Map<string, string>(), aside: !context.isHome } as const)
    : ({ type: 'left', why } as const);
  found.items.push({ kind: 'settings', name: 'model', from, content, notes: [] });
}

/** Imports each entry of a map; an invalid entry does not affect the others. */
async function entries(
  map: unknown,
  key: string,
  { file, found }: ConfigPlace,
  make: (id: string, value: unknown) => Promise<ImportItem | undefined>,
): Promise<void> {
  const parsed = z.optional(z.record(z.string(), z.unknown())).safeParse(map);
  if (parsed.error) {
    found.problems.push(`${file.place([key])}: “${key}” must be an object, so it was not imported.`);
    return;
  }
  for (const [id, value] of Object.entries(parsed.data ?? {})) {
    await attempt(found, async () => {
      const item = await make(id, value);
      if (item) found.items.push(item);
    });
  }
}

async function agentItem(id: string, value: unknown, key: string, at: ConfigPlace): Promise<ImportItem> {
  const { file, context } = at;
  const where = file.place([key, id]);
  const parsed = agentSchema.safeParse(value);
  if (!parsed.data)
    throw new EngineError('invalid-input', `${where}: the agent is left out: ${issueText(parsed.error)}`);
  const { prompt = '', ...written } = parsed.data;
  const { limits, isChanged } = limitsIn(written);
  const kept = Object.entries(written).filter(([name]) => AGENT_KEYS.has(name) && !LIMITS.includes(name));
  const other = Object.keys(written).filter((name) => !AGENT_KEYS.has(name));
  const own = { ...(key === 'mode' && { mode: 'primary' }), ...Object.fromEntries([...kept, ...limits]) };
  const taken = context.secrets.ofItem(id);
  const text = `---\n${await yamlText(own)}---\n${await promptText(prompt, at)}\n`;
  const bytes = Buffer.from(taken.text(text));
  const files = [{ path: '.md', bytes, executable: false }];
  const notes = other.length > 0 ? [`Left out, because it has no meaning here: ${other.join(', ')}.`] : [];
  const content = { type: 'files', folder: 'agents', single: true, files, secrets: taken.all } as const;
  return {
    kind: 'agent',
    name: id,
    from: where,
    content,
    notes: ['It became a file of its own.', ...(isChanged ? [NO_ALLOWANCE] : []), ...notes],
  };
}

/** Resolves `{file:./prompts/x.md}`, a file next to the configuration. */
async function promptText(prompt: string, { source }: ConfigPlace): Promise<string> {
  const named = /^\s*\{file:\s*([^}\s][^}]{0,500})\}\s*$/.exec(prompt)?.[1]?.trim().replace(/^\.\//, '');
  if (named === undefined) return prompt;
  const read = await source.readText(named.split(/[\\/]/));
  if (!read) throw new EngineError('not-found', `${source.at(named)} does not exist, so its agent is left out.`);
  return read.text;
}

async function commandItem(
  id: string,
  value: unknown,
  key: string,
  { file, context }: ConfigPlace,
): Promise<ImportItem> {
  const from = file.place([key, id]);
  const parsed = commandSchema.safeParse(value);
  if (!parsed.data)
    throw new EngineError('invalid-input', `${from}: the command is left out: ${issueText(parsed.error)}`);
  const { template, ...fields } = parsed.data;
  const kept = Object.entries(fields).filter(([name]) => COMMAND_KEYS.has(name));
  const head = kept.length > 0 ? `---\n${await yamlText(Object.fromEntries(kept))}---\n` : '';
  const taken = context.secrets.ofItem(id);
  const bytes = Buffer.from(taken.text(`${head}${template}\n`));
  const files = [{ path: '.md', bytes, executable: false }];
  const content = { type: 'files', folder: 'commands', single: true, files, secrets: taken.all } as const;
  return { kind: 'command', name: id, from, content, notes: [] };
}

function keyItem(id: string, value: unknown, { file }: ConfigPlace): ImportItem | undefined {
  const { apiKey, baseURL } = providerSchema.safeParse(value).data?.options ?? {};
  const from = file.place(['provider', id]);
  const address = baseURL === undefined ? [] : ['Its address was left out: set it in config.yaml or in the settings.'];
  if (apiKey !== undefined && !/^\{(?:env|file):/.test(apiKey)) return secretItem(id, apiKey, from, address);
  const why = 'Cairn has settings of its own for providers.';
  return { kind: 'settings', name: `provider ${id}`, from, content: { type: 'left', why }, notes: address };
}

/** Names a secret so that the vault provides it to the provider. */
function secretItem(provider: string, value: string, from: string, notes: readonly string[] = []): ImportItem {
  const known = PROVIDER_KEYS.find(({ id }) => id === provider)?.keyVariable;
  const name = known ?? `${provider.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()}_API_KEY`;
  return { kind: 'secret', name, from, content: { type: 'secret', value }, notes };
}
