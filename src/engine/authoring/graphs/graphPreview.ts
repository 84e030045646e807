import { yamlReady } from '../../content/yamlSource';
import { type Edge, edgesOf } from '../../graphs/edges';
import { type GraphFile, readGraph } from '../../graphs/format/readGraph';
import type { Graph } from '../../graphs/graph';
import { Ways } from '../../graphs/validation/ways';
import type { FileSystem, PathStyle } from '../../ports';
import { type GraphPlace, scriptsAt } from './graphWorldAt';

/** A node as written in the file, even if it could not run. */
interface PreviewNode {
  readonly id: string;
  /** As written; empty if the node has none. */
  readonly type: string;
  readonly description: string;
  /** 1-based line of the node; for a missing node, the line that names it. */
  readonly line: number;
  /** The last line of the node's text. */
  readonly lastLine: number;
  readonly isMissing: boolean;
}

/** An edge that a run may follow; `script`: determined by the node's script. */
interface PreviewWay extends Omit<Edge, 'kind'> {
  readonly kind: Edge['kind'] | 'script';
}

/** A graph as drawn from its file. */
export interface GraphPreview {
  readonly name: string;
  readonly start: string;
  /** In file order, followed by the nodes that are only referred to. */
  readonly nodes: readonly PreviewNode[];
  readonly ways: readonly PreviewWay[];
}

/**
 * Returns the graph that a text describes, whatever its errors; undefined while the text does not define nodes. Scripts are only
 * read if `place` is known, and never run.
 */
export async function graphPreview(
  { path, text }: { path: string; text: string },
  place: GraphPlace | undefined,
  ports: { files: FileSystem; paths: PathStyle },
): Promise<GraphPreview | undefined> {
  await yamlReady(text);
  const file = readGraph(text, path);
  const { fields, readable } = file;
  if (!fields || !readable) return undefined;
  const told = place ? await waysOfScripts(readable, place, ports) : new Map<string, readonly string[]>();
  const ways = file.written.flatMap(([id, written]) => waysOf(id, written, readable, told.get(id)));
  const lines = new Map(file.written.map(([id]) => [id, lineOf(file, id)] as const));
  const rows = text.split(/\r\n?|\n/);
  const nodes = file.written.map(([id, { type, description }]): PreviewNode => {
    const words = { type: textOf(type), description: textOf(description) };
    const line = lines.get(id) ?? 1;
    return { id, ...words, line, lastLine: lastLineFrom(rows, line), isMissing: false };
  });
  const named = [{ from: '', to: fields.start }, ...ways].filter(({ to }) => !lines.has(to));
  const missing = new Map(named.map(({ from, to }) => [to, lines.get(from) ?? startLine(file)] as const));
  const lost = [...missing].map(([id, line]): PreviewNode => ({
    id,
    type: '',
    description: '',
    line,
    lastLine: line,
    isMissing: true,
  }));
  return { name: fields.name, start: fields.start, nodes: [...nodes, ...lost], ways };
}

type Written = Readonly<Record<string, unknown>>;

/** Returns the edges of a node; if it is not valid yet, those that can be read from its text. */
function waysOf(id: string, written: Written, graph: Graph, told: readonly string[] = []): PreviewWay[] {
  const node = graph.nodes.get(id);
  const declared: readonly PreviewWay[] = node ? edgesOf(node) : writtenWays(id, written);
  const others = told.filter((to) => !declared.some((way) => way.to === to));
  return [...declared, ...others.map((to): PreviewWay => ({ from: id, to, kind: 'script' }))].filter(
    ({ to }) => to !== '',
  );
}

function writtenWays(from: string, written: Written): PreviewWay[] {
  const way = (to: unknown, kind: Edge['kind'], label?: string): PreviewWay[] =>
    typeof to === 'string' ? [{ from, to, kind, ...(label !== undefined && { label }) }] : [];
  const { next, routes } = written;
  const several: readonly unknown[] = Array.isArray(next) ? next : [next];
  const answers: [string, unknown][] = typeof routes === 'object' && routes !== null ? Object.entries(routes) : [];
  return [
    ...answers.flatMap(([answer, to]) => way(to, 'route', answer)),
    ...way(written['on_other'], 'other'),
    ...way(written['branch'], 'branch'),
    ...several.flatMap((to) => way(to, 'next')),
    ...way(written['fallback'], 'fallback'),
  ];
}

async function waysOfScripts(
  graph: Graph,
  place: GraphPlace,
  ports: { files: FileSystem; paths: PathStyle },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const scripts = await scriptsAt(place, graph, ports);
  const found = new Map<string, readonly string[]>();
  const ways = new Ways(graph, { scripts });
  for (const node of graph.nodes.values()) {
    const ids = ways.targetsToldBy(node).map(({ id }) => id);
    // A string that names no node cannot be drawn as an edge; it is reported as a problem.
    found.set(
      node.id,
      [...new Set(ids)].filter((id) => graph.nodes.has(id)),
    );
  }
  return found;
}

function lineOf({ yaml }: GraphFile, id: string): number {
  return yaml.position(['nodes', id], 'key').line;
}

/** Returns the last of the lines that follow with a deeper indentation. */
function lastLineFrom(rows: readonly string[], line: number): number {
  const indent = indentOf(rows[line - 1] ?? '');
  let last = line;
  for (let at = line; at < rows.length; at++) {
    const row = rows[at] ?? '';
    if (row.trim() === '') continue;
    if (indentOf(row) <= indent) break;
    last = at + 1;
  }
  return last;
}

function indentOf(row: string): number {
  return row.length - row.trimStart().length;
}

function startLine({ yaml }: GraphFile): number {
  return yaml.position(['start']).line;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
