import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from '@dagrejs/dagre';
import { columnsOf } from '../../../base/shown/shownLines';
import {
  type DrawnBox,
  type DrawnLine,
  type DrawnWay,
  type GraphDrawing,
  type GraphShape,
  MOST_BOXES,
} from '../../../protocol/graphDrawing';

/** Space around the drawing, so that nothing touches its edge. */
const MARGIN = 24;
const LOOKS: GraphLabel = {
  rankdir: 'TB',
  ranker: 'tight-tree',
  nodesep: 32,
  edgesep: 16,
  ranksep: 44,
  marginx: MARGIN,
  marginy: MARGIN,
};
/** How far an edge from a node to itself extends. */
const SELF = 22;

/** An edge to lay out. Boxes are identified by number, so that user-defined names are never keys. */
interface Line extends Omit<DrawnLine, 'points' | 'labelAt' | 'count'> {
  readonly at: readonly [from: number, to: number];
  count: number;
}

/**
 * Lays out a graph from top to bottom; the result is deterministic. Groups whose id is among `opened` are drawn as separate
 * nodes. Slow: about a second for 150 nodes with many edges.
 */
export function layoutGraph(shape: GraphShape, opened: readonly string[] = []): GraphDrawing {
  const ways = placedWays(shape);
  const open = new Set(opened);
  const nameOf = (place: number) => shape.nodes[place] ?? '';
  const folds = foldRanks(ranksOf(shape.nodes.length, ways), (first) => open.has(nameOf(first)));
  const boxes = folds.map((fold) => ({ fold, id: nameOf(fold[0] ?? 0) }));
  const lines = foldedLines(ways, folds, (box) => boxes[box]?.id ?? '');
  const graph = laidOut(
    boxes.map(({ fold, id }) => (fold.length > 1 ? `${fold.length} nodes, ${id}` : id)),
    lines,
  );
  const drawn = boxes.map(({ fold, id }, at): DrawnBox => {
    const { x = 0, y = 0, width, height } = graph.node(keyOf(at));
    const members = fold.length > 1 ? fold.map((place) => nameOf(place)) : null;
    return { id, x: round(x), y: round(y), width, height, members };
  });
  const { width = 0, height = 0 } = graph.graph();
  const hasSelf = lines.some(({ at: [from, to] }) => from === to);
  return {
    width: Math.ceil(Math.max(width, 0)) + (hasSelf ? 2 * SELF : 0),
    height: Math.ceil(Math.max(height, 0)),
    boxes: drawn.sort((one, other) => one.y - other.y || one.x - other.x),
    lines: lines.map((line, at) => drawnLine(line, at, graph)),
  };
}

const keyOf = (box: number) => `b${box}`;

function laidOut(names: readonly string[], lines: readonly Line[]): LaidOut {
  const graph: LaidOut = new Graph({ multigraph: true });
  graph.setGraph(Object.assign({}, LOOKS));
  for (const [at, name] of names.entries()) {
    graph.setNode(keyOf(at), { width: boxWidth(name), height: BOX_HEIGHT });
  }
  for (const [at, { at: ends, isBack, label, kind }] of lines.entries()) {
    const [from, to] = ends;
    if (from === to) continue;
    const [upper, lower] = isBack ? [to, from] : [from, to];
    const size: EdgeLabel =
      label === undefined ? {} : { width: labelWidth(label), height: LABEL_HEIGHT, labelpos: 'c' };
    // Edges that runs usually take are drawn straight.
    const weight = kind === 'fallback' || isBack ? 1 : 2;
    graph.setEdge(keyOf(upper), keyOf(lower), Object.assign(size, { weight }), `l${at}`);
  }
  layout(graph);
  if (isMirrored(graph, lines)) mirror(graph);
  return graph;
}

/** Whether most successors of a node are ordered from right to left. */
function isMirrored(graph: LaidOut, lines: readonly Line[]): boolean {
  const last = new Map<number, number>();
  let turned = 0;
  for (const {
    at: [from, to],
    isBack,
  } of lines) {
    if (isBack || from === to) continue;
    const { x = 0 } = graph.node(keyOf(to));
    turned += Math.sign((last.get(from) ?? x) - x);
    last.set(from, x);
  }
  return turned > 0;
}

function mirror(graph: LaidOut): void {
  const { width = 0 } = graph.graph();
  const turn = (one: { x?: number }) => {
    if (one.x !== undefined) one.x = width - one.x;
  };
  for (const key of graph.nodes()) turn(graph.node(key));
  for (const edge of graph.edges()) {
    const label = graph.edge(edge);
    turn(label);
    for (const point of label.points ?? []) turn(point);
  }
}

type LaidOut = Graph<GraphLabel, NodeLabel, EdgeLabel>;

function drawnLine({ at: [from, to], ...line }: Line, index: number, graph: LaidOut): DrawnLine {
  if (from === to) return Object.assign(line, selfLine(graph.node(keyOf(from)), line.label));
  const [upper, lower] = line.isBack ? [to, from] : [from, to];
  const { points = [], x, y } = graph.edge(keyOf(upper), keyOf(lower), `l${index}`);
  const way = points.map((point) => ({ x: round(point.x), y: round(point.y) }));
  const label =
    line.label === undefined || x === undefined || y === undefined ? {} : { labelAt: { x: round(x), y: round(y) } };
  return Object.assign(line, { points: line.isBack ? way.reverse() : way }, label);
}

/** Leaves the box on the right and enters it again below. */
function selfLine(
  { x = 0, y = 0, width, height }: { x?: number; y?: number; width: number; height: number },
  label: string | undefined,
) {
  const edge = x + width / 2;
  const [above, below] = [y - height / 4, y + height / 4];
  const points = [
    { x: edge, y: above },
    { x: edge + SELF, y: above },
    { x: edge + SELF, y: below },
    { x: edge, y: below },
  ].map((point) => ({ x: round(point.x), y: round(point.y) }));
  return Object.assign({ points }, label === undefined ? {} : { labelAt: { x: round(edge + SELF), y: round(y) } });
}

/** The edges between boxes. Edges between the same two groups are merged into one. */
function foldedLines(ways: readonly PlacedWay[], folds: readonly Fold[], nameOf: (box: number) => string): Line[] {
  const boxOf = new Map(folds.flatMap((fold, box) => fold.map((place) => [place, box] as const)));
  const isGroup = (box: number) => (folds[box]?.length ?? 1) > 1;
  const found = new Map<string, Line>();
  for (const [index, { way, from, to, isBack }] of ways.entries()) {
    const at = [boxOf.get(from) ?? 0, boxOf.get(to) ?? 0] as const;
    const hasGroup = at.some((box) => isGroup(box));
    if (at[0] === at[1] && hasGroup) continue;
    const key = hasGroup ? `${at.join(' ')} ${isBack}` : `way ${index}`;
    const known = found.get(key);
    if (known) known.count++;
    else {
      const label = hasGroup || way.label === undefined ? {} : { label: way.label };
      const kind = hasGroup ? 'next' : way.kind;
      const line = { from: nameOf(at[0]), to: nameOf(at[1]), kind, isBack, at, count: 1 } as const;
      found.set(key, Object.assign({}, line, label));
    }
  }
  return [...found.values()];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Space for the icon of the node's kind and for padding on both sides. */
const AROUND = 58;
const LETTER = 7.4;
const LABEL_LETTER = 6.6;
/** Wide enough to show some of the node's purpose as well. */
const NARROWEST = 168;
const WIDEST = 280;
const LONGEST_LABEL = 200;

const BOX_HEIGHT = 44;
const LABEL_HEIGHT = 18;

/** The width of a box with this name. Longer names are cut off. */
function boxWidth(name: string): number {
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, AROUND + columns(name) * LETTER)));
}

function labelWidth(label: string): number {
  return Math.round(Math.min(LONGEST_LABEL, 10 + columns(label) * LABEL_LETTER));
}

function columns(text: string): number {
  let sum = 0;
  for (const sign of text.slice(0, 200)) sum += columnsOf(sign);
  return sum;
}

/** An edge with the indexes of its end nodes. */
interface PlacedWay {
  readonly way: DrawnWay;
  readonly from: number;
  readonly to: number;
  /** Whether it leads back to a node from which its source was reached. */
  readonly isBack: boolean;
}

/** The edges whose ends exist, with back edges marked. Without the back edges the graph is acyclic. */
function placedWays({ start, nodes, ways }: GraphShape): PlacedWay[] {
  const places = new Map(nodes.map((id, at) => [id, at] as const));
  const placed = ways.flatMap((way) => {
    const [from, to] = [places.get(way.from), places.get(way.to)];
    return from === undefined || to === undefined ? [] : [{ way, from, to }];
  });
  const out = nodes.map((): number[] => []);
  for (const [at, { from }] of placed.entries()) out[from]?.push(at);
  const back = waysBack(placed, out, places.get(start));
  return placed.map((one, at) => Object.assign({ isBack: back.has(at) }, one));
}

/** For each node, the length of the longest path to it, ignoring back edges; 0 if nothing leads to it. */
function ranksOf(count: number, ways: readonly PlacedWay[]): number[] {
  const ranks = new Array<number>(count).fill(0);
  const waiting = new Array<number>(count).fill(0);
  const out = Array.from({ length: count }, (): number[] => []);
  for (const { from, to, isBack } of ways) {
    if (isBack) continue;
    out[from]?.push(to);
    waiting[to] = (waiting[to] ?? 0) + 1;
  }
  const ready = waiting.flatMap((left, at) => (left === 0 ? [at] : []));
  for (let at = ready.pop(); at !== undefined; at = ready.pop()) {
    for (const to of out[at] ?? []) {
      ranks[to] = Math.max(ranks[to] ?? 0, (ranks[at] ?? 0) + 1);
      const left = (waiting[to] ?? 0) - 1;
      waiting[to] = left;
      if (left === 0) ready.push(to);
    }
  }
  return ranks;
}

type Ends = Pick<PlacedWay, 'from' | 'to'>;

/**
 * Finds back edges depth-first from the start, then from nodes that nothing leads to, then from the rest. Iterative, because
 * chains can be long.
 */
function waysBack(ways: readonly Ends[], out: readonly number[][], start: number | undefined): ReadonlySet<number> {
  const reached = new Set(ways.filter(({ from, to }) => from !== to).map(({ to }) => to));
  const all = [...out.keys()];
  const roots = [...(start === undefined ? [] : [start]), ...all.filter((at) => !reached.has(at)), ...all];
  const state = new Array<'new' | 'open' | 'done'>(out.length).fill('new');
  const back = new Set<number>();
  for (const root of roots) {
    if (state[root] !== 'new') continue;
    const path = [{ node: root, next: 0 }];
    state[root] = 'open';
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const at = out[top.node]?.[top.next++];
      const to = at === undefined ? undefined : ways[at]?.to;
      if (at === undefined || to === undefined) {
        state[top.node] = 'done';
        path.pop();
      } else if (state[to] === 'open') {
        back.add(at);
      } else if (state[to] === 'new') {
        state[to] = 'open';
        path.push({ node: to, next: 0 });
      }
    }
  }
  return back;
}

/** The indexes of the nodes that one box represents, in order. */
type Fold = readonly number[];

/**
 * Groups nodes so that at most `MOST_BOXES` boxes are drawn: several nodes of one row, or whole consecutive rows, so that no path
 * leads out of a group and back in. Groups for which `opened` returns true are left as single nodes.
 */
function foldRanks(ranks: readonly number[], opened: (first: number) => boolean): Fold[] {
  const single = ranks.map((_, at): Fold => [at]);
  if (ranks.length <= MOST_BOXES) return single;
  // Two consecutive groups together exceed this size, so there are at most `MOST_BOXES` groups.
  const size = Math.ceil((2 * ranks.length) / MOST_BOXES);
  const folds = rows(ranks).reduce<number[][]>((found, row) => {
    const last = found.at(-1);
    if (last && last.length + row.length <= size) last.push(...row);
    else for (let at = 0; at < row.length; at += size) found.push(row.slice(at, at + size));
    return found;
  }, []);
  return folds.flatMap((fold) => (opened(fold[0] ?? 0) ? fold.map((at): Fold => [at]) : [fold]));
}

/** The node indexes of each rank, in rank order. */
function rows(ranks: readonly number[]): number[][] {
  const found: number[][] = [];
  for (const [at, rank] of ranks.entries()) (found[rank] ??= []).push(at);
  return found.filter((row) => row.length > 0);
}
