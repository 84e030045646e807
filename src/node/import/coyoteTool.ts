import path from 'node:path';
import { readDotEnv } from '../../base/dotEnv';
import { splitFrontMatter } from '../../base/frontMatter';
import { isRecord } from '../../base/isRecord';
import { PROVIDER_KEYS, type YamlSource, yamlText } from '../../engine';
import { usedSchema, WITHOUT_EFFECT } from '../config/configSchema';
import { coyoteSession } from './coyoteSession';
import type { Found } from './importItem';
import type { ImportTool, Places, ScanContext } from './importTool';
import { parsedYaml, readJsonFile, readYamlFile } from './readData';
import { attempt, type Changed, type ContentScan, filesIn, folderItem } from './scanContent';
import type { ItemSecrets } from './secretsOut';
import { serverItems } from './serverItems';
import type { SourceFolder } from './sourceFolder';

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

const CLIENT_KEYS = ['type', 'name', 'api_base', 'api_key'];

/** Imports the supported part of `config.yaml`; keys become `{{NAME}}`. */
async function coyoteSettings(source: SourceFolder, { secrets, isHome }: ScanContext, found: Found): Promise<void> {
  await attempt(found, async () => {
    const read = await readYamlFile(source, ['config.yaml']);
    if (!read) return;
    const { yaml } = read;
    const from = source.at('config.yaml');
    if (!isRecord(yaml.data) || Array.isArray(yaml.data)) {
      found.problems.push(`${from}: it must be a map of settings.`);
      return;
    }
    const taken = secrets.ofItem('config');
    const { values, notes } = usedValues(yaml.data, yaml, taken);
    if (Object.keys(values).length === 0) return;
    const text = await yamlText(values);
    const content = { type: 'settings', text, secrets: taken.all, aside: !isHome } as const;
    found.items.push({ kind: 'settings', name: 'config.yaml', from, content, notes });
  });
}

function usedValues(
  data: Readonly<Record<string, unknown>>,
  yaml: YamlSource,
  secrets: ItemSecrets,
): { values: Record<string, unknown>; notes: string[] } {
  const values: Record<string, unknown> = {};
  const notes: string[] = [];
  const line = (where: readonly PropertyKey[]) => `Line ${yaml.position(where, 'key').line}`;
  for (const [key, written] of Object.entries(data)) {
    if (written === null || written === undefined) continue;
    const schema = fieldOf(key);
    if (!schema) {
      const why = WITHOUT_EFFECT.get(key) ?? 'Cairn has no such setting';
      notes.push(`${line([key])}: “${key}” was left out: ${why}.`);
      continue;
    }
    const value = key === 'clients' ? clientsOf(written, yaml, secrets, notes) : written;
    const issue = schema.safeParse(value).error?.issues[0];
    if (issue) notes.push(`${line([key, ...issue.path])}: “${key}” was left out: ${issue.message}.`);
    else values[key] = value;
  }
  return { values, notes };
}

function fieldOf(key: string) {
  return Object.entries(usedSchema.shape).find(([name]) => name === key)?.[1];
}

function clientsOf(written: unknown, yaml: YamlSource, secrets: ItemSecrets, notes: string[]): unknown {
  if (!Array.isArray(written)) return written;
  return written.map((client: unknown, at) => {
    if (!isRecord(client)) return client;
    const other = Object.keys(client).filter((key) => !CLIENT_KEYS.includes(key));
    const where = `Line ${yaml.position(['clients', at], 'value').line}`;
    if (other.length > 0)
      notes.push(`${where}: ${other.join(', ')} of this client were left out; Cairn has its own list of models.`);
    const { type, name, api_base: base, api_key: key } = client;
    return {
      type,
      ...(name !== undefined && { name }),
      ...(typeof base === 'string' ? { api_base: secrets.address(base) } : base !== undefined && { api_base: base }),
      ...(typeof key === 'string'
        ? { api_key: secrets.key(keyName(type, name), key) }
        : key !== undefined && { api_key: key }),
    };
  });
}

/** Returns the provider's key variable, under which the vault provides the key automatically. */
function keyName(type: unknown, name: unknown): string {
  const ids = [name, type === 'claude' ? 'anthropic' : type];
  const known = PROVIDER_KEYS.find(({ id }) => ids.includes(id))?.keyVariable;
  const [own] = ids.filter((one) => typeof one === 'string');
  return known ?? `${own ?? 'client'}_API_KEY`;
}

/** Role keys that Cairn supports; a role with any other key fails to load. */
const ROLE_KEYS = new Set([
  ...['description', 'model', 'temperature', 'top_p', 'reasoning_effort', 'enabled_tools', 'enabled_mcp_servers'],
  ...['enabled_skills', 'skills_enabled', 'auto_continue', 'inject_todo_instructions', 'inject_skill_instructions'],
  ...['max_auto_continues', 'continuation_prompt', 'skill_instructions'],
]);
/** AIChat's name → Coyote's name. */
const RENAMED: Readonly<Record<string, string>> = { use_tools: 'enabled_tools' };

/** Other contents of an agent's folder: sessions are imported separately, the rest is regenerated. */
const NOT_OF_AGENT = /^(?:sessions\/|bin\/|rag\.yaml$|.*\.duckdb$|messages\.md$)/;

const MACROS = 'Cairn does not run macros yet; the file is kept for when it does.';

const PROGRAMS = 'It comes from a folder that you chose. Read it before an agent runs it.';

/** Imports content. `isHome`: Coyote itself runs these scripts. */
async function coyoteContent(scan: ContentScan, isHome: boolean): Promise<void> {
  await filesIn(scan, ['roles'], ['.md'], { kind: 'role', folder: 'roles', change: roleText });
  for (const { name, kind } of await scan.source.list('skills')) {
    if (kind === 'folder') await folderItem(scan, ['skills', name], name, { kind: 'skill', folder: 'skills' });
  }
  await filesIn(scan, ['macros'], ['.yaml', '.yml'], { kind: 'macro', folder: 'macros', notes: [MACROS] });
  const before = scan.found.items.length;
  await agents(scan);
  await sharedByAgents(scan);
  await tools(scan);
  for (let at = before; !isHome && at < scan.found.items.length; at++) tellProgram(scan.found, at);
}

/** Imports agents. Coyote's are folders with `config.yaml`; AIChat's are mostly defined next to the functions, as `index.yaml`. */
async function agents(scan: ContentScan): Promise<void> {
  const { source } = scan;
  const own = await namesOf(scan, ['agents']);
  const withFunctions = await namesOf(scan, ['functions', 'agents']);
  for (const name of own) {
    if (withFunctions.includes(name)) continue;
    const parts = ['agents', name];
    const [graph, config, index] = await Promise.all(DEFINITIONS.map((file) => source.stat(...parts, file)));
    // Treat it like an agent in the functions folder.
    if (index && !graph && !config) await aichatAgent(scan, name, parts, false);
    else await folderItem(scan, parts, name, { kind: 'agent', folder: 'agents', skip: NOT_OF_AGENT });
  }
  for (const name of withFunctions) await aichatAgent(scan, name, ['functions', 'agents', name], own.includes(name));
}

const DEFINITIONS = ['graph.yaml', 'config.yaml', 'index.yaml'];

async function namesOf({ source, found }: ContentScan, parts: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  await attempt(found, async () => {
    const entries = await source.list(...parts);
    names.push(...entries.flatMap(({ name, kind }) => (kind === 'folder' && !name.startsWith('.') ? [name] : [])));
  });
  return names;
}

const INDEX_KEYS = ['description', 'version', 'instructions', 'variables', 'conversation_starters', 'documents'];
const CONFIG_KEYS = ['model', 'temperature', 'top_p', 'agent_session', 'instructions', 'dynamic_instructions'];

/** Combines `index.yaml` and the user's `config.yaml` for it into one `config.yaml`. */
async function aichatAgent(
  scan: ContentScan,
  name: string,
  parts: readonly string[],
  hasConfig: boolean,
): Promise<void> {
  const { source, found } = scan;
  await attempt(found, async () => {
    const config = hasConfig ? await readYamlFile(source, ['agents', name, 'config.yaml']) : undefined;
    const change = async (text: string, path: string): Promise<Changed> => {
      if (path !== 'index.yaml') return { text, notes: [] };
      const index = (await parsedYaml(text, source.at(...parts, path))).data;
      const [base, over] = [index, config?.yaml.data].map((one) => (isRecord(one) ? one : {}));
      const values = { ...picked(base ?? {}, INDEX_KEYS), ...picked(over ?? {}, CONFIG_KEYS) };
      const tools = over?.['use_tools'] ?? undefined;
      const all = { ...values, ...(typeof tools === 'string' && { global_tools: tools }) };
      return { text: await yamlText(all), notes: ['index.yaml became config.yaml.'] };
    };
    const before = found.items.length;
    await folderItem(scan, parts, name, {
      kind: 'agent',
      folder: 'agents',
      skip: /^(?:bin\/|functions\.json$)/,
      change,
    });
    const item = found.items[before];
    if (item?.content.type !== 'files') return;
    const files = item.content.files.map((file) =>
      file.path === 'index.yaml' ? { ...file, path: 'config.yaml' } : file,
    );
    found.items[before] = { ...item, content: { ...item.content, files } };
  });
}

function picked(data: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> {
  const some = Object.entries(data).filter(([key, value]) => keys.includes(key) && value !== null && value !== '');
  return Object.fromEntries(some);
}

/** Imports what the scripts of agents load: Coyote has `agents/.shared`, AIChat `utils` in the folder above its agents. */
async function sharedByAgents(scan: ContentScan): Promise<void> {
  const hidden = (await scan.source.list('agents').catch(() => [])).filter(
    ({ name, kind }) => kind === 'folder' && name.startsWith('.') && name !== '.git',
  );
  for (const { name } of hidden) await folderItem(scan, ['agents', name], name, { kind: 'tool', folder: 'agents' });
  if ((await namesOf(scan, ['functions', 'agents'])).length === 0) return;
  await folderItem(scan, ['functions', 'utils'], 'utils', { kind: 'tool', folder: '.' });
}

/** Imports each script separately, plus the files scripts load from the folder above their own. */
async function tools(scan: ContentScan): Promise<void> {
  const endings = ['.sh', '.py', '.ts', '.js'];
  for (const ending of endings) {
    await filesIn(scan, ['functions', 'tools'], [ending], { kind: 'tool', folder: 'functions/tools' });
  }
  const { found, source } = scan;
  await attempt(found, async () => {
    const others = (await source.list('functions')).filter(({ kind }) => kind === 'folder');
    for (const { name } of others.filter((one) => one.name === 'utils' || one.name === 'scripts')) {
      await folderItem(scan, ['functions', name], name, { kind: 'tool', folder: 'functions' });
    }
  });
}

/** Keeps the supported front matter keys, since a role with any other key fails to load. */
async function roleText(text: string, path: string): Promise<Changed> {
  const { head, headLine, body } = splitFrontMatter(text);
  if (head === null) return { text, notes: [] };
  const { data } = await parsedYaml(head, path, headLine);
  if (!isRecord(data) || Array.isArray(data)) return { text, notes: [] };
  const notes: string[] = [];
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(data)) {
    const name = Object.hasOwn(RENAMED, key) ? RENAMED[key] : key;
    if (name === undefined || !ROLE_KEYS.has(name)) notes.push(`“${key}” was left out: it has no meaning in a role.`);
    else if (value !== null) {
      kept[name] = value;
      if (name !== key) notes.push(`“${key}” is called “${name}” here.`);
    }
  }
  if (notes.length === 0) return { text, notes };
  const written = Object.keys(kept).length > 0 ? `---\n${await yamlText(kept)}---\n` : '';
  return { text: `${written}${body}`, notes };
}

function tellProgram({ items }: ContentScan['found'], at: number): void {
  const item = items[at];
  const files = item?.content.type === 'files' ? item.content.files : [];
  if (!item || !files.some(({ path }) => /\.(?:sh|py|ts|js)$/.test(path))) return;
  items[at] = { ...item, notes: [...item.notes, PROGRAMS] };
}
