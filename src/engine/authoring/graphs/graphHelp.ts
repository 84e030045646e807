import written from '../../../../assets/help/graph.yaml';
import * as z from '../../../base/zod';
import type { AgentLoaderPorts } from '../../agents/agentLoader';
import { schemaChoices, schemaKeys, schemaShape } from '../../content/checkContent';
import type { ContentPlace, ContentPlaces } from '../../content/contentRoots';
import { filesBelow } from '../../content/filesBelow';
import { EngineError } from '../../engineError';
import { addedFields, graphFieldsSchema, nodeSchemas } from '../../graphs/format/graphFields';
import { GRAPH_VERSIONS, NODE_TYPES, type NodeType } from '../../graphs/graph';
import { languageOf } from '../../scripts/scriptDescription';
import { AGENT_SCRIPTS } from '../../scripts/scriptPlaces';
import type { HelpKey, HelpName, HelpNames, WritingHelp } from '../contentHelp';
import { serversFor } from './graphWorldAt';

/** Depth to which an agent's folder is searched for scripts. */
const LEVELS = 3;

/** Dependencies of the help for a graph. */
interface GraphHelpParts {
  readonly places: () => ContentPlaces;
  readonly ports: AgentLoaderPorts;
  readonly names: HelpNames;
}

/** Returns the help for a graph, including the scripts in its folder and the available MCP servers. */
export function helpForGraph(place: ContentPlace, text: string, { names, places, ports }: GraphHelpParts): GraphHelp {
  const { files, paths } = ports;
  const folder = paths.dirname(place.path);
  const { within } = place.root;
  return new GraphHelp(text, names, {
    async scripts() {
      const found = await filesBelow(folder, files, paths, { levels: LEVELS, within }).catch(noFiles);
      const own = found.filter((path) => languageOf(path) !== undefined).map((path) => paths.relative(folder, path));
      return own.filter((path) => !AGENT_SCRIPTS.includes(path));
    },
    async servers() {
      return (await serversFor({ within, folder }, places(), ports)) ?? [];
    },
  });
}

function noFiles(error: unknown): string[] {
  if (EngineError.is(error)) return [];
  throw error;
}

const textsSchema = z.object({ graph: z.record(z.string(), z.string()), node: z.record(z.string(), z.string()) });
/** Descriptions of the keys of a graph and of its nodes. */
export const GRAPH_TEXTS = textsSchema.parse(written);

type Where = readonly PropertyKey[];

/** Names of the files and servers around a graph. */
interface GraphNeighbours {
  scripts(): Promise<readonly string[]>;
  servers(): Promise<readonly string[]>;
}

/** Completions and descriptions for `graph.yaml` while it is being edited. A place is the keys and indexes that lead to it. */
class GraphHelp implements WritingHelp {
  private readonly outline: GraphOutline;

  constructor(
    text: string,
    private readonly names: HelpNames,
    private readonly around: GraphNeighbours,
  ) {
    this.outline = outlineOf(text);
  }

  keys(where: Where): Promise<HelpKey[]> {
    const [field, id, ...rest] = where;
    const isNode = field === 'nodes';
    if (isNode && id === undefined) return Promise.resolve([]);
    const found = isNode ? this.nodeKeys(String(id), rest) : this.graphKeys(where);
    const keys = found.map((name): HelpKey => ({
      name,
      description: this.describe([...where, name]) ?? '',
      shape: this.shape([...where, name]),
    }));
    return Promise.resolve(keys);
  }

  async values(where: Where): Promise<readonly HelpName[]> {
    const [field, id, key] = where;
    if (field !== 'nodes') return [...this.choices(where), ...(await this.graphNames(String(field), where.length))];
    if (typeof key !== 'string') return [];
    return [...this.choices(where), ...(await this.nodeNames(String(id), key, where.length))];
  }

  describe(where: Where): string | undefined {
    const names = where.filter((step) => typeof step !== 'number').map(String);
    const [field, , ...rest] = names;
    if (field !== 'nodes' || names.length === 1) return textAt(GRAPH_TEXTS.graph, names);
    return textAt(GRAPH_TEXTS.node, rest);
  }

  /** Returns the state keys that templates may name, with the nodes that write them. */
  references(): readonly HelpName[] {
    return this.outline.keys;
  }

  private graphKeys(where: Where): string[] {
    const isLater = (key: string) => key === 'budget' && this.outline.version === '1.0';
    return schemaKeys(graphFieldsSchema, where).filter((key) => !isLater(key));
  }

  /** Returns the keys of a node, those specific to its type first. */
  private nodeKeys(id: string, rest: Where): string[] {
    const type = this.typeOf(id);
    if (rest.length > 0) return type ? schemaKeys(nodeSchemas[type], rest) : [];
    if (!type) return ['type'];
    const all = schemaKeys(nodeSchemas[type], []);
    // The schemas list the keys that all nodes share before `type`.
    const own = all.slice(all.indexOf('type'));
    const goesOn = type === 'end' || type === 'approval' ? [] : ['next'];
    const others = all.filter((key) => key !== 'id' && key !== 'next');
    const added = this.outline.version === '1.0' ? new Set(addedFields(type)) : undefined;
    return [...new Set([...own, ...goesOn, 'state_updates', ...others])].filter((key) => !added?.has(key));
  }

  private typeOf(id: string): NodeType | undefined {
    const type = this.outline.nodes.find((node) => node.id === id)?.type;
    return NODE_TYPES.find((one) => one === type);
  }

  private shape(where: Where): HelpKey['shape'] {
    const [field, id, ...rest] = where;
    if (field !== 'nodes' || id === undefined) return schemaShape(graphFieldsSchema, where);
    const type = this.typeOf(String(id));
    // `next` may be a list, but usually names a single node.
    return type && rest[0] !== 'next' ? schemaShape(nodeSchemas[type], rest) : 'value';
  }

  private choices(where: Where): HelpName[] {
    const [field, id, ...rest] = where;
    const type = field === 'nodes' ? this.typeOf(String(id)) : undefined;
    const found =
      field === 'nodes'
        ? type
          ? schemaChoices(nodeSchemas[type], rest)
          : []
        : schemaChoices(graphFieldsSchema, where);
    return found.map((name) => ({ name, description: '' }));
  }

  private async graphNames(key: string, depth: number): Promise<readonly HelpName[]> {
    if (depth > 2) return [];
    switch (key) {
      case 'start':
        return this.ids();
      case 'version':
        return GRAPH_VERSIONS.map((version) => ({ name: `"${version}"`, description: '' }));
      case 'mcp_servers':
        return plain(await this.around.servers());
      case 'global_tools':
        return this.names.tools();
      default:
        return this.commonNames(key);
    }
  }

  private async nodeNames(id: string, key: string, depth: number): Promise<readonly HelpName[]> {
    if (depth > (key === 'routes' ? 5 : 4)) return [];
    switch (key) {
      case 'type':
        return plain(NODE_TYPES);
      case 'next':
      case 'fallback':
      case 'branch':
      case 'on_other':
      case 'routes':
        return this.ids().filter(({ name }) => name !== id);
      case 'agent':
        return this.names.agents();
      case 'script':
        return plain(await this.around.scripts());
      case 'tools':
        return [...this.names.tools(), ...plain((await this.around.servers()).map((server) => `mcp:${server}`))];
      default:
        return this.commonNames(key);
    }
  }

  private async commonNames(key: string): Promise<readonly HelpName[]> {
    if (key === 'model') return this.names.models();
    return key === 'enabled_skills' ? this.names.skills() : [];
  }

  private ids(): HelpName[] {
    return this.outline.nodes.map(({ id, type, description }) => ({
      name: id,
      description: [type, description].filter((one) => one !== undefined).join(': '),
    }));
  }
}

function plain(names: readonly string[]): HelpName[] {
  return names.map((name) => ({ name, description: '' }));
}

function textAt(texts: Readonly<Record<string, string>>, names: readonly string[]): string | undefined {
  const key = names.join('.');
  return Object.hasOwn(texts, key) ? texts[key] : undefined;
}

/** The parts of a graph that can be recognized line by line, since a file is rarely valid YAML while it is being edited. */
interface GraphOutline {
  readonly version: string;
  /** In file order. */
  readonly nodes: readonly OutlinedNode[];
  /** The state keys, with the nodes that write them. */
  readonly keys: readonly { name: string; description: string }[];
}

interface OutlinedNode {
  readonly id: string;
  readonly type: string | undefined;
  readonly description: string | undefined;
}

interface Line {
  readonly indent: number;
  readonly key: string;
  readonly value: string;
}

const KEY_LINE = /^( *)(?:("[^"]*"|'[^']*')\s*|([^\s:#"'{[&*!|>-][^:#]*)):(?:\s([^]*))?$/;

function outlineOf(text: string): GraphOutline {
  const lines = text.split(/\r?\n/).flatMap((line) => readLine(line) ?? []);
  const top = sections(lines, 0);
  const nodes = [...(top.get('nodes') ?? new Map<string, Line[]>())].map(([id, own]) => nodeOf(id, own));
  const version = lines.find(({ indent, key }) => indent === 0 && key === 'version')?.value ?? '1.0';
  const initial = [...(top.get('initial_state')?.keys() ?? [])].map((name) => ({ name, by: 'initial_state' }));
  const written = nodes.flatMap(({ id, writes }) => writes.map((name) => ({ name, by: id })));
  const writers = new Map<string, string[]>([['initial_prompt', ['the user']]]);
  for (const { name, by } of [...initial, ...written]) {
    const others = writers.get(name);
    if (others) others.push(by);
    else writers.set(name, [by]);
  }
  return {
    version: unquoted(version.replace(/(?<!\s)\s+#[^]*$/, '')),
    nodes: nodes.map(({ id, type, description }) => ({ id, type, description })),
    keys: [...writers].map(([name, by]) => ({ name, description: `Written by ${[...new Set(by)].join(', ')}` })),
  };
}

function readLine(line: string): Line | undefined {
  const [, spaces = '', quoted, plain, value = ''] = KEY_LINE.exec(line.replaceAll('\t', ' ')) ?? [];
  const key = quoted ?? plain?.trimEnd();
  return key === undefined ? undefined : { indent: spaces.length, key: unquoted(key), value: value.trim() };
}

/**
 * Returns outer key → inner key → the lines below it, starting with the line of the inner key. Keys in braces after an outer key
 * are included.
 */
function sections(lines: readonly Line[], outer: number): Map<string, Map<string, Line[]>> {
  const found = new Map<string, Map<string, Line[]>>();
  let inner: { indent: number; keys: Map<string, Line[]> } | undefined;
  let current: Line[] | undefined;
  for (const line of lines) {
    if (line.indent <= outer) {
      inner = { indent: -1, keys: new Map(inFlow(line.value).map(({ key }) => [key, []])) };
      found.set(line.key, inner.keys);
      current = undefined;
      continue;
    }
    if (!inner) continue;
    if (inner.indent < 0) inner.indent = line.indent;
    if (line.indent === inner.indent) inner.keys.set(line.key, (current = [line]));
    else if (line.indent > inner.indent) current?.push(line);
  }
  return found;
}

interface WritingNode extends OutlinedNode {
  readonly writes: readonly string[];
}

function nodeOf(id: string, [own, ...below]: readonly Line[]): WritingNode {
  const fields = [...inFlow(own?.value ?? ''), ...below.filter(({ indent }) => indent === below[0]?.indent)];
  const valueOf = (name: string) => {
    const value = fields.find(({ key }) => key === name)?.value;
    return value === undefined || value === '' ? undefined : unquoted(value.replace(/(?<!\s)\s+#[^]*$/, ''));
  };
  const collected = valueOf('collect_into');
  return {
    id,
    type: valueOf('type'),
    description: valueOf('description'),
    writes: [
      ...innerKeys('state_updates', fields, below),
      ...innerKeys('properties', below, below),
      ...(collected === undefined ? [] : [collected]),
    ],
  };
}

/** Returns the keys one level below a key, from lines of their own or from braces. */
function innerKeys(name: string, among: readonly Pick<Line, 'key' | 'value'>[], lines: readonly Line[]): string[] {
  const at = lines.findIndex(({ key }) => key === name);
  const flow = among.find(({ key }) => key === name)?.value ?? '';
  const start = lines[at];
  if (!start || flow.startsWith('{')) return inFlow(flow).map(({ key }) => key);
  const end = lines.findIndex(({ indent }, index) => index > at && indent <= start.indent);
  const below = lines.slice(at + 1, end < 0 ? undefined : end);
  return below.filter(({ indent }) => indent === below[0]?.indent).map(({ key }) => key);
}

/** Returns the top-level keys and values in braces. */
function inFlow(value: string): { key: string; value: string }[] {
  if (!value.startsWith('{')) return [];
  const pairs: { key: string; value: string }[] = [];
  for (const part of partsOf(value.slice(1).replace(/\}\s*(?:#[^]*)?$/, ''))) {
    const [, key, inner] = /^\s*("[^"]*"|'[^']*'|[^\s:,{}[\]"']+)\s*:\s*(.*)$/s.exec(part) ?? [];
    if (key !== undefined && inner !== undefined) pairs.push({ key: unquoted(key), value: inner.trim() });
  }
  return pairs;
}

/** Splits at commas outside quotes and nested brackets. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at);
    if (quote !== '') quote = sign === quote ? '' : quote;
    else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '{' || sign === '[') depth++;
    else if (sign === '}' || sign === ']') depth--;
    if (sign !== ',' || depth > 0 || quote !== '') continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  return [...parts, text.slice(start)];
}

function unquoted(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/s, '$2');
}
