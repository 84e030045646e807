import { isRecord } from '../../../base/isRecord';
import { nearest } from '../../../base/matching';
import { sameInOrder } from '../../../base/sameJson';
import type * as z from '../../../base/zod';
import { checkContent } from '../../content/checkContent';
import type { ContentProblem, Remedy } from '../../content/contentProblem';
import { readEntries } from '../../content/yamlEntries';
import { readYaml, type YamlSource } from '../../content/yamlSource';
import { type Graph, type GraphNode, type GraphVersion, NODE_TYPES, type NodeType } from '../graph';
import { graphFrom, nodeFrom } from './fromFields';
import { addedFields, type AnyNodeFields, type GraphFields, graphFieldsSchema, nodeSchemas } from './graphFields';

/** A parsed `graph.yaml`. */
export interface GraphFile {
  /** Undefined if the problems include an error. */
  readonly graph: Graph | undefined;
  /** The graph with only the nodes that could be read; undefined if the other fields are invalid. */
  readonly readable: Graph | undefined;
  /** The fields as written; undefined if those outside the nodes are invalid. */
  readonly fields: GraphFields | undefined;
  /** The nodes in file order. An object would list integer-like keys first. */
  readonly written: readonly WrittenNode[];
  /** The ids of the nodes without problems. */
  readonly sound: ReadonlySet<string>;
  readonly problems: readonly ContentProblem[];
  /** The YAML source, for the positions of its values. */
  readonly yaml: YamlSource;
}

type WrittenNode = readonly [id: string, fields: GraphFields['nodes'][string]];

/** The latest file, which the loader, the validation, and the preview read in succession. Held weakly, and replaced by the next one. */
let latest: { text: string; path: string; file: WeakRef<GraphFile> } | undefined;

/**
 * Reads a graph; `yamlReady` must have been awaited. Names are not resolved here but by the validation. The result may be shared,
 * so it must not be modified.
 */
export function readGraph(text: string, path: string): GraphFile {
  const before = latest?.path === path ? latest.file.deref() : undefined;
  const file = before && latest?.text === text ? before : readAnew(text, path, before);
  latest = { text, path, file: new WeakRef(file) };
  return file;
}

/** `before`: the same file as it was read last, most of whose nodes are usually unchanged. */
function readAnew(text: string, path: string, before: GraphFile | undefined): GraphFile {
  const earlier = before?.yaml;
  const yaml = readEntries(text, { path, key: 'nodes', earlier }) ?? readYaml(text, { path });
  const { data, problems: early } = withoutTooEarly(withoutPrivate(yaml.data), yaml);
  const whole = within(yaml, [], data);
  const { value: fields, problems: found } = checkContent(whole, graphFieldsSchema, { unknownKeys: 'warning' });
  const problems = [...found, ...early, ...lostKeys(yaml)];
  if (!fields) return { graph: undefined, readable: undefined, fields, written: [], sound: new Set(), problems, yaml };
  const version = fields.version ?? '1.0';
  const nodes = new Map<string, GraphNode>();
  const sound = new Set<string>();
  let isWhole = true;
  const written = inFileOrder(fields, yaml);
  for (const [id, node] of written) {
    const same = before && unchangedNode(id, node, version, before);
    const read: ReadNode = same ? { node: same, problems: [] } : readNode(id, node, { yaml, version });
    problems.push(...read.problems);
    if (read.problems.length === 0) sound.add(id);
    if (read.node) nodes.set(id, read.node);
    else isWhole = false;
  }
  problems.push(...startProblems(fields, written, yaml));
  const isUsable = isWhole && !problems.some(({ severity }) => severity === 'error');
  const readable = graphFrom(fields, version, nodes);
  return {
    graph: isUsable ? readable : undefined,
    readable,
    fields,
    written,
    sound,
    problems: inOrder(problems),
    yaml,
  };
}

/** What merge keys add to several nodes has each problem only once. */
function inOrder(problems: readonly ContentProblem[]): ContentProblem[] {
  const different = new Map(problems.map((one) => [`${one.line}:${one.column} ${one.message}`, one]));
  return [...different.values()].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Leaves out top-level keys such as `x-defaults`, which hold what aliases and merge keys refer to. */
function withoutPrivate(data: unknown): unknown {
  if (!isRecord(data) || Array.isArray(data) || !Object.keys(data).some(isPrivate)) return data;
  return Object.fromEntries(Object.entries(data).filter(([key]) => !isPrivate(key)));
}

const isPrivate = (key: string): boolean => key.startsWith('x-');

/** Returns a node as it was read before if it is written in the same way and has no problems, whose places may differ. */
function unchangedNode(
  id: string,
  written: WrittenNode[1],
  version: GraphVersion,
  { fields, readable, sound }: GraphFile,
): GraphNode | undefined {
  const known = sound.has(id) && readable?.version === version ? readable.nodes.get(id) : undefined;
  return known && sameInOrder(written, fields?.nodes[id]) ? known : undefined;
}

function inFileOrder({ nodes }: GraphFields, yaml: YamlSource): WrittenNode[] {
  const written = Object.entries(nodes);
  if (!written.some(([id]) => /^\d+$/.test(id))) return written;
  const placed = written.map((node) => ({ node, at: yaml.position(['nodes', node[0]], 'key') }));
  placed.sort(({ at: a }, { at: b }) => a.line - b.line || a.column - b.column);
  return placed.map(({ node }) => node);
}

/** Schemas silently skip this key, since it has a special meaning in JavaScript. */
const LOST = '__proto__';
/** Maximum number of these problems. */
const MOST_LOST = 100;

/** Visits an aliased value only once. */
function lostKeys(yaml: YamlSource): ContentProblem[] {
  const problems: ContentProblem[] = [];
  const seen = new Set<unknown>();
  const waiting: { value: unknown; where: readonly PropertyKey[] }[] = [{ value: yaml.data, where: [] }];
  for (let at = waiting.pop(); at && problems.length < MOST_LOST; at = waiting.pop()) {
    const { value, where } = at;
    if (!isRecord(value) || seen.has(value)) continue;
    seen.add(value);
    if (Object.hasOwn(value, LOST)) {
      const message = `“${LOST}” cannot be the name of a node or a key. Give it another name.`;
      problems.push(errorAt(yaml, [...where, LOST], 'key', message));
    }
    const isList = Array.isArray(value);
    for (const [key, inner] of Object.entries(value)) {
      if (isRecord(inner)) waiting.push({ value: inner, where: [...where, isList ? Number(key) : key] });
    }
  }
  return problems;
}

interface ReadNode {
  node?: GraphNode;
  problems: ContentProblem[];
}

function readNode(
  id: string,
  written: Readonly<Record<string, unknown>>,
  { yaml, version }: { yaml: YamlSource; version: GraphVersion },
): ReadNode {
  const all = within(yaml, ['nodes', id], written);
  const type = NODE_TYPES.find((one) => one === written['type']);
  if (!type) return { problems: [typeProblem(id, written['type'], all)] };
  const early = version === '1.0' ? withoutAdded(type, written, all) : { written, problems: [] };
  const source = within(yaml, ['nodes', id], early.written);
  const { node, problems } = READERS[type](id, source);
  problems.push(...early.problems);
  if (written['id'] !== undefined && written['id'] !== id) {
    problems.push(errorAt(source, ['id'], 'value', `“id” must be “${id}”, the name of the node, or be left out.`));
  }
  if (version === '1.0' && type === 'command') {
    const message = 'The type “command” needs format version 1.1. Write version: "1.1" at the top.';
    problems.push({ ...errorAt(source, ['type'], 'value', message), remedies: [NEWER_VERSION] });
  }
  return node && !problems.some(({ severity }) => severity === 'error') ? { node, problems } : { problems };
}

type NodeReader = (id: string, source: YamlSource) => ReadNode;

const readerOf = <T extends AnyNodeFields>(schema: z.ZodMiniType<T>): NodeReader => {
  return (id, source) => {
    const { value, problems } = checkContent(source, schema, { unknownKeys: 'warning' });
    for (const problem of problems) {
      // The paths start at the node and must start at the root of the file.
      if (problem.remedies)
        problem.remedies = problem.remedies.map((one) => ({ ...one, where: ['nodes', id, ...one.where] }));
    }
    return value ? { node: nodeFrom(id, value), problems } : { problems };
  };
};

const READERS: Record<NodeType, NodeReader> = {
  script: readerOf(nodeSchemas.script),
  llm: readerOf(nodeSchemas.llm),
  agent: readerOf(nodeSchemas.agent),
  rag: readerOf(nodeSchemas.rag),
  map: readerOf(nodeSchemas.map),
  input: readerOf(nodeSchemas.input),
  approval: readerOf(nodeSchemas.approval),
  end: readerOf(nodeSchemas.end),
  command: readerOf(nodeSchemas.command),
};

/** Returns a part of a file as a source of its own. */
function within(yaml: YamlSource, where: readonly PropertyKey[], data: unknown): YamlSource {
  return {
    path: yaml.path,
    data,
    problems: where.length === 0 ? yaml.problems : [],
    position: (inner, part, words) => yaml.position([...where, ...inner], part, words),
  };
}

function typeProblem(id: string, written: unknown, source: YamlSource): ContentProblem {
  const types = NODE_TYPES.join(', ');
  if (written === undefined || written === null) {
    return errorAt(source, [], 'key', `The node “${id}” has no “type”. Use one of: ${types}.`);
  }
  const meant = typeof written === 'string' ? nearest(written, NODE_TYPES) : undefined;
  const hint = meant === undefined ? `Use one of: ${types}.` : `Did you mean “${meant}”?`;
  const problem = errorAt(
    source,
    ['type'],
    'value',
    `There is no node type “${typeof written === 'string' ? written : JSON.stringify(written)}”. ${hint}`,
  );
  return meant === undefined || typeof written !== 'string'
    ? problem
    : { ...problem, meant: { written, instead: meant } };
}

/** Leaves out the fields that Cairn adds in version 1.1: the original ignores keys that it does not know. */
function withoutAdded(
  type: NodeType,
  written: Readonly<Record<string, unknown>>,
  source: YamlSource,
): { written: Readonly<Record<string, unknown>>; problems: ContentProblem[] } {
  const added = addedFields(type).filter((field) => (written[field] ?? null) !== null);
  if (added.length === 0) return { written, problems: [] };
  const left = Object.entries(written).filter(([key]) => !added.includes(key));
  return { written: Object.fromEntries(left), problems: added.map((field) => tooEarly(source, [field], field)) };
}

/** Does the same for the fields outside the nodes. */
function withoutTooEarly(data: unknown, yaml: YamlSource): { data: unknown; problems: ContentProblem[] } {
  const unchanged = { data, problems: [] };
  if (!isRecord(data) || ![undefined, '1.0', 1].some((version) => version === data['version'])) return unchanged;
  const { settings } = data;
  if (!isRecord(settings) || (settings['budget'] ?? null) === null) return unchanged;
  const left = Object.fromEntries(Object.entries(settings).filter(([key]) => key !== 'budget'));
  const where = ['settings', 'budget'];
  return { data: { ...data, settings: left }, problems: [tooEarly(yaml, where, where.join('.'))] };
}

function tooEarly(source: YamlSource, where: readonly PropertyKey[], name: string): ContentProblem {
  const message = `“${name}” needs format version 1.1 and has no effect here. Write version: "1.1" at the top.`;
  return { ...errorAt(source, where, 'key', message), severity: 'warning', remedies: [NEWER_VERSION] };
}

function startProblems(
  { nodes, start }: GraphFields,
  written: readonly WrittenNode[],
  yaml: YamlSource,
): ContentProblem[] {
  const ids = written.map(([id]) => id);
  if (ids.length === 0) return [errorAt(yaml, ['nodes'], 'key', 'The graph has no nodes. Add at least an end node.')];
  if (Object.hasOwn(nodes, start)) return [];
  const meant = nearest(start, ids);
  const hint = meant === undefined ? `The nodes are: ${ids.join(', ')}.` : `Did you mean “${meant}”?`;
  const problem = errorAt(yaml, ['start'], 'value', `“start” names the node “${start}”, which does not exist. ${hint}`);
  return [meant === undefined ? problem : { ...problem, meant: { written: start, instead: meant } }];
}

function errorAt(
  yaml: YamlSource,
  where: readonly PropertyKey[],
  part: 'key' | 'value',
  message: string,
): ContentProblem {
  return { kind: 'schema', severity: 'error', path: yaml.path, ...yaml.position(where, part), message };
}

/** Returns the remedy that sets a key of a node or of the graph. `value` is YAML source text. */
export function setting(where: readonly PropertyKey[], value: string): Remedy {
  return { kind: 'set', where, value };
}

export function removing(node: string, key: string): Remedy {
  return { kind: 'remove', where: ['nodes', node, key] };
}

/** Sets the version that Cairn's additions to the format need. */
export const NEWER_VERSION = setting(['version'], '"1.1"');

/** Formats a name for YAML. */
export function yamlName(name: string): string {
  return /^[A-Za-z_][\w.-]*$/.test(name) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(name)
    ? name
    : JSON.stringify(name);
}
