import { type DrawnWay, type GraphShape, MOST_BOXES } from '../../../protocol/graphDrawing';

/** An edge with the indexes of its end nodes. */
export interface PlacedWay {
  readonly way: DrawnWay;
  readonly from: number;
  readonly to: number;
  /** Whether it leads back to a node from which its source was reached. */
  readonly isBack: boolean;
}

/** The edges whose ends exist, with back edges marked. Without the back edges the graph is acyclic. */
export function placedWays({ start, nodes, ways }: GraphShape): PlacedWay[] {
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
export function ranksOf(count: number, ways: readonly PlacedWay[]): number[] {
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
export type Fold = readonly number[];

/**
 * Groups nodes so that at most `MOST_BOXES` boxes are drawn: several nodes of one row, or whole consecutive rows, so that no path
 * leads out of a group and back in. Groups for which `opened` returns true are left as single nodes.
 */
export function foldRanks(ranks: readonly number[], opened: (first: number) => boolean): Fold[] {
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
