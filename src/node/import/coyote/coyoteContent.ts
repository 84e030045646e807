import { isRecord } from '../../../base/isRecord';
import { splitFrontMatter } from '../../../base/frontMatter';
import { yamlText } from '../../../engine';
import { parsedYaml, readYamlFile } from '../readData';
import { attempt, type Changed, type ContentScan, filesIn, folderItem } from '../scanContent';

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
export async function coyoteContent(scan: ContentScan, isHome: boolean): Promise<void> {
  await filesIn(scan, ['roles'], ['.md'], { kind: 'role', folder: 'roles', change: roleText });
  for (const { name, kind } of await scan.source.list('skills')) {
    if (kind === 'folder') await folderItem(scan, ['skills', name], name, { kind: 'skill', folder: 'skills' });
  }
  await filesIn(scan, ['macros'], ['.yaml', '.yml'], { kind: 'macro', folder: 'macros', notes: [MACROS] });
  const before = scan.found.items.length;
  await agents(scan);
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
