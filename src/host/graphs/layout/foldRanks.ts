import { MOST_BOXES } from '../../../protocol/graphDrawing';

/** What one box stands for: the places of its nodes, in their order. */
export type Fold = readonly number[];

/**
 * Puts nodes together so that no more than `MOST_BOXES` boxes are drawn: several of the same row, or whole rows that follow each
 * other, so that no way inside of a group leads out of it and back. What `opened` says of is left as single nodes.
 */
export function foldRanks(ranks: readonly number[], opened: (first: number) => boolean): Fold[] {
  const single = ranks.map((_, at): Fold => [at]);
  if (ranks.length <= MOST_BOXES) return single;
  // Two groups that follow each other are more than this together, so there are at most twice as many as fit.
  const size = Math.ceil((2 * ranks.length) / MOST_BOXES);
  const folds = rows(ranks).reduce<number[][]>((found, row) => {
    const last = found.at(-1);
    if (last && last.length + row.length <= size) last.push(...row);
    else for (let at = 0; at < row.length; at += size) found.push(row.slice(at, at + size));
    return found;
  }, []);
  return folds.flatMap((fold) => (opened(fold[0] ?? 0) ? fold.map((at): Fold => [at]) : [fold]));
}

/** The places of each rank, from the first rank on. */
function rows(ranks: readonly number[]): number[][] {
  const found: number[][] = [];
  for (const [at, rank] of ranks.entries()) (found[rank] ??= []).push(at);
  return found.filter((row) => row.length > 0);
}
