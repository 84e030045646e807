import { type EdgeLabel, Graph, type GraphLabel, layout, type NodeLabel } from '@dagrejs/dagre';
import { columnsOf } from '../../../base/shown/columns';
import type { DrawnBox, DrawnLine, GraphDrawing, GraphShape } from '../../../protocol/graphDrawing';
import { type Fold, foldRanks, type PlacedWay, placedWays, ranksOf } from './ranks';

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
