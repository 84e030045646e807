import type { Edge } from '../edges';

export interface Loop {
  /** The nodes of it, once each; of a long one the first. */
  readonly path: readonly string[];
  /** From the last to the first of them. */
  readonly closing: Edge;
}

/** Loops are told to people. */
const MOST = 20;

interface Visit {
  readonly id: string;
  readonly edges: readonly Edge[];
  next: number;
}

/** Loops over edges, one for each edge that closes one: without these edges there is none. */
export function loopsIn(ids: Iterable<string>, edgesFrom: (id: string) => readonly Edge[]): Loop[] {
  const loops: Loop[] = [];
  const done = new Set<string>();
  for (const start of ids) {
    if (done.has(start)) continue;
    const path: Visit[] = [{ id: start, edges: edgesFrom(start), next: 0 }];
    const depths = new Map([[start, 0]]);
    for (let at = path.at(-1); at; at = path.at(-1)) {
      const edge = at.edges[at.next++];
      if (!edge) {
        path.pop();
        depths.delete(at.id);
        done.add(at.id);
        continue;
      }
      const depth = depths.get(edge.to);
      if (depth !== undefined) loops.push({ path: path.slice(depth, depth + MOST).map(({ id }) => id), closing: edge });
      else if (!done.has(edge.to)) {
        depths.set(edge.to, path.length);
        path.push({ id: edge.to, edges: edgesFrom(edge.to), next: 0 });
      }
    }
  }
  return loops;
}
