import { isRecord } from '../../base/isRecord';
import { splitFrontMatter } from '../../base/frontMatter';
import { readYaml, yamlReady, type YamlSource } from '../../engine';
import type { ContentFolder, ImportedFile } from './importItem';

/** What the items of an import were called in the other tool → their names here. Only names that differ. */
export interface Renames {
  readonly agents: ReadonlyMap<string, string>;
  readonly roles: ReadonlyMap<string, string>;
  readonly skills: ReadonlyMap<string, string>;
  readonly servers: ReadonlyMap<string, string>;
}

type Named = keyof Renames;

/** Fields that refer to items by name, in settings, agents, roles, and commands. */
const FIELDS: Readonly<Record<string, Named>> = {
  agent: 'agents',
  spawnable_agents: 'agents',
  role: 'roles',
  cmd_prelude: 'roles',
  skills: 'skills',
  enabled_skills: 'skills',
  visible_skills: 'skills',
  mcp_servers: 'servers',
  enabled_mcp_servers: 'servers',
};
/** Maps of such fields by names of one's own. */
const MAPS: Readonly<Record<string, Named>> = { mapping_mcp_servers: 'servers' };
/** Permissions whose keys are such names. */
const PERMISSIONS: Readonly<Record<string, Named>> = { task: 'agents', subagent: 'agents', skill: 'skills' };
const NODE_FIELDS = ['agent', 'enabled_skills', 'mcp_servers'];

/** A name, or names with commas between them, as a value or as a key. */
interface Reference {
  readonly where: readonly PropertyKey[];
  readonly part: 'key' | 'value';
  readonly named: Named;
  readonly text: string;
}

/**
 * Makes a file refer to other items of the same import by the names that they have here: an agent that starts `coder` would
 * otherwise start another agent of that name. Returns notes on what it cannot change.
 */
export async function followRenames(
  file: ImportedFile,
  place: { folder: ContentFolder | 'settings'; single: boolean },
  renames: Renames,
): Promise<{ file: ImportedFile; notes: readonly string[] }> {
  const isYaml = place.folder === 'settings' || (!place.single && WHOLE.includes(file.path));
  const isMarkdown = file.path === (place.single ? '.md' : 'SKILL.md');
  const isNone = [renames.agents, renames.roles, renames.skills, renames.servers].every(({ size }) => size === 0);
  if (isNone || !(isYaml || isMarkdown)) return { file, notes: [] };
  const text = Buffer.from(file.bytes).toString('utf8');
  const { head, headLine } = isYaml ? { head: text, headLine: 1 } : splitFrontMatter(text);
  if (head === null) return { file, notes: [] };
  await yamlReady(head);
  const yaml = readYaml(head, { path: file.path, firstLine: headLine, lenient: true });
  const { changed, notes } = withNamesOf(text, yaml, renames);
  return { file: changed === text ? file : { ...file, bytes: Buffer.from(changed) }, notes };
}

const WHOLE = ['config.yaml', 'graph.yaml'];

function withNamesOf(text: string, yaml: YamlSource, renames: Renames): { changed: string; notes: string[] } {
  const notes: string[] = [];
  const lines = text.split('\n');
  const followed = new Map<string, string>();
  const edits = referencesIn(yaml.data, []).flatMap(({ where, part, named, text: names }) => {
    const given = names.replace(named === 'roles' ? PRELUDE : /[^\s,]+/g, (name) => {
      const own = renames[named].get(name) ?? name;
      if (own !== name) followed.set(name, own);
      // A list of what may be seen also names what is built in.
      return where[0] === 'visible_skills' && own !== name ? `${name},${own}` : own;
    });
    if (given === names) return [];
    const word = yaml.wordAt?.(where, part);
    if (word) return [{ ...word.start, end: word.end.column, given }];
    const { line } = yaml.position(where, part);
    notes.push(`Line ${line} names ${names.trim()}, which is called ${given.trim()} here. Change it there.`);
    return [];
  });
  const byPlace = new Map(edits.map((edit) => [`${edit.line}:${edit.column}`, edit]));
  for (const { line, column, end, given } of [...byPlace.values()].toSorted((a, b) => b.column - a.column)) {
    const written = lines[line - 1] ?? '';
    lines[line - 1] = written.slice(0, column - 1) + asItems(given, written) + written.slice(end - 1);
  }
  return { changed: withWordsOf(lines.join('\n'), followed, renames.agents), notes };
}

/** The role of a prelude, which names a session in the same way. */
const PRELUDE = /(?<=^\s*role:\s*|^(?!\s*session:)[^:]*:\s*|^)[^\s:]+(?=\s*$)/g;

/** Follows in the text for the model what is certainly such a name: after `--agent`, or in backticks if a field has it too. */
function withWordsOf(text: string, followed: ReadonlyMap<string, string>, agents: Renames['agents']): string {
  return text
    .replaceAll(/(--agent[ =])([\w-]+)/g, (all, option: string, name: string) => {
      const own = agents.get(name);
      return own === undefined ? all : option + own;
    })
    .replaceAll(/(?<!`)`([\w-]+)`(?!`)/g, (all, name: string) => {
      const own = followed.get(name);
      return own === undefined ? all : `\`${own}\``;
    });
}

/** An item of a block list that became two stays one item per line. */
function asItems(given: string, line: string): string {
  const [indent] = /^\s*-[ \t]+(?!.*[[{])/.exec(line) ?? [];
  return indent === undefined ? given : given.replaceAll(/\s*,\s*/g, `\n${indent}`);
}

function referencesIn(data: unknown, where: readonly PropertyKey[]): Reference[] {
  if (!isRecord(data) || Array.isArray(data)) return [];
  const found = Object.entries(data).flatMap(([key, value]) => {
    const field = Object.hasOwn(FIELDS, key) ? FIELDS[key] : undefined;
    if (field) return namesIn(value, [...where, key], field);
    const map = Object.hasOwn(MAPS, key) ? MAPS[key] : undefined;
    if (map && isRecord(value))
      return Object.entries(value).flatMap(([own, names]) => namesIn(names, [...where, key, own], map));
    return [];
  });
  return [...found, ...inPermissions(data['permission']), ...inNodes(data['nodes'])];
}

function namesIn(value: unknown, where: readonly PropertyKey[], named: Named): Reference[] {
  if (typeof value === 'string') return [{ where, part: 'value', named, text: value }];
  if (!Array.isArray(value)) return [];
  return value.flatMap((one: unknown, at) => (typeof one === 'string' ? namesIn(one, [...where, at], named) : []));
}

function inPermissions(permission: unknown): Reference[] {
  if (!isRecord(permission)) return [];
  return Object.entries(PERMISSIONS).flatMap(([key, named]) => {
    const rules = Object.hasOwn(permission, key) ? permission[key] : undefined;
    if (!isRecord(rules) || Array.isArray(rules)) return [];
    return Object.keys(rules).map((name): Reference => {
      return { where: ['permission', key, name], part: 'key', named, text: name };
    });
  });
}

function inNodes(nodes: unknown): Reference[] {
  if (!isRecord(nodes)) return [];
  return Object.entries(nodes).flatMap(([id, node]) => {
    if (!isRecord(node)) return [];
    const own = Object.fromEntries(Object.entries(node).filter(([key]) => NODE_FIELDS.includes(key)));
    return referencesIn(own, ['nodes', id]);
  });
}
