/** Likeness of a text to `target`, from 0 to 1, by the pairs of characters that they share. */
export function similarityTo(target: string): (text: string) => number {
  const pairs = pairCounts(target);
  const size = Math.max(0, target.length - 1);
  return (text) => {
    if (text === target) return 1;
    const total = size + Math.max(0, text.length - 1);
    if (total === 0 || text.length > 4 * target.length + 8) return 0;
    let shared = 0;
    for (const [pair, count] of pairCounts(text)) shared += Math.min(count, pairs.get(pair) ?? 0);
    return (2 * shared) / total;
  };
}

function pairCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}
