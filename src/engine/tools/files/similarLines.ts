import { numberedLine, textLines } from './readTextFile';

const MAX_SHOWN = 12;
const MAX_COMPARED = 50_000;
const LIKE_ENOUGH = 0.5;

/** Describes for the model where a text contains something like `wanted`; empty if it does not. */
export function similarLines(text: string, wanted: string): string {
  const lines = textLines(text).slice(0, MAX_COMPARED);
  const block = textLines(wanted);
  const anchor = longestLine(block);
  const likeness = similarityTo((block[anchor] ?? '').trim());
  const [best, ...others] = lines
    .map((line, index) => ({ index, score: likeness(line.trim()) }))
    .filter(({ score }) => score >= LIKE_ENOUGH)
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, 3);
  if (!best) return '';
  const first = Math.max(0, best.index - anchor);
  const window = lines.slice(first, best.index - anchor + block.length);
  const spaces = window.length === block.length && window.every((line, index) => line.trim() === block[index]?.trim());
  const shown = window.slice(0, MAX_SHOWN).map((line, index) => numberedLine(first + index + 1, line));
  const more =
    !spaces && others.length > 0 ? `\nAlso similar: line ${others.map(({ index }) => index + 1).join(', line ')}.` : '';
  return `${spaces ? 'These lines differ from it in white space only:' : 'The most similar lines:'}\n${shown.join('\n')}${more}`;
}

function longestLine(block: readonly string[]): number {
  return block.reduce(
    (best, line, index) => (line.trim().length > (block[best] ?? '').trim().length ? index : best),
    0,
  );
}

/** Returns a function that rates the similarity of a text to `target`, from 0 to 1, by the character pairs that they share. */
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
