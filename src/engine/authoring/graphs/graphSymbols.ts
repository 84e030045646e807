import { type WordPlace, yamlReady } from '../../content/yamlSource';
import { readGraph, type GraphFile } from '../../graphs/format/readGraph';

/** A name that appears in a graph file. */
export interface GraphSymbol extends WordPlace {
  readonly kind: 'node' | 'agent' | 'script' | 'skill';
  readonly name: string;
  /** True where a node is defined, false where something is referred to. */
  readonly isDefinition: boolean;
}

/** Returns every name of a node, agent, script, or skill in a graph, in file order; none while the text is not valid YAML. */
export async function graphSymbols(text: string, path: string): Promise<GraphSymbol[]> {
  await yamlReady(text);
  const file = readGraph(text, path);
  const { fields } = file;
  if (!fields) return [];
  const found = [
    ...symbol(file, 'node', ['start'], fields.start),
    ...(fields.enabled_skills ?? []).flatMap((name, index) => symbol(file, 'skill', ['enabled_skills', index], name)),
    ...file.written.flatMap(([id, node]) => symbolsOf(file, id, node)),
  ];
  return atDifferentPlaces(found).sort((a, b) => a.start.line - b.start.line || a.start.column - b.start.column);
}

/** What merge keys add to several nodes is written only once. */
function atDifferentPlaces(symbols: readonly GraphSymbol[]): GraphSymbol[] {
  return [...new Map(symbols.map((one) => [`${one.start.line}:${one.start.column}`, one])).values()];
}

/** Returns why a node id is invalid or taken; undefined if it can be used. */
export function nodeIdProblem(id: string, text: readonly GraphSymbol[]): string | undefined {
  if (!/^[A-Za-z_][\w.-]*$/.test(id)) {
    return 'A node id starts with a letter and consists of letters, digits, dashes, dots, and underscores.';
  }
  if (/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(id)) return `YAML reads “${id}” as something other than text.`;
  const isTaken = text.some(({ kind, name, isDefinition }) => kind === 'node' && isDefinition && name === id);
  return isTaken ? `There is a node “${id}” already.` : undefined;
}

type Written = Readonly<Record<string, unknown>>;

function symbolsOf(file: GraphFile, id: string, node: Written): GraphSymbol[] {
  const at = ['nodes', id];
  const key = file.yaml.wordAt?.(at, 'key');
  const inFields = (['fallback', 'on_other', 'branch', 'id'] as const).flatMap((field) =>
    symbol(file, 'node', [...at, field], node[field]),
  );
  const others = [
    ...symbol(file, 'agent', [...at, 'agent'], node['agent']),
    ...symbol(file, 'script', [...at, 'script'], node['script']),
    ...inside(node['enabled_skills']).flatMap(([index, name]) =>
      symbol(file, 'skill', [...at, 'enabled_skills', index], name),
    ),
  ];
  const next = typeof node['next'] === 'string' ? symbol(file, 'node', [...at, 'next'], node['next']) : [];
  const several = (['next', 'routes'] as const).flatMap((field) =>
    inside(node[field]).flatMap(([step, name]) => symbol(file, 'node', [...at, field, step], name)),
  );
  const definition: GraphSymbol[] = key ? [{ ...key, kind: 'node', name: id, isDefinition: true }] : [];
  return [...definition, ...next, ...several, ...inFields, ...others];
}

function symbol(
  { yaml }: GraphFile,
  kind: GraphSymbol['kind'],
  where: readonly PropertyKey[],
  name: unknown,
): GraphSymbol[] {
  if (typeof name !== 'string' || name === '') return [];
  const place = yaml.wordAt?.(where, 'value');
  return place ? [{ ...place, kind, name, isDefinition: false }] : [];
}

/** Returns the values of a list or map, each with its key or index. */
function inside(value: unknown): [PropertyKey, unknown][] {
  if (Array.isArray(value)) return value.map((one: unknown, index): [PropertyKey, unknown] => [index, one]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
