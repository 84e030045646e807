import path from 'node:path';

/** Orders paths folder by folder: what lies in `a` comes before `a-b`, as a walk in order of names finds it. */
export function comparePaths(a: string, b: string): number {
  const [left, right] = [a.split(path.sep), b.split(path.sep)];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const order = compareNames(left[at] ?? '', right[at] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

/** By bytes, not by the rules of a language. */
export function compareNames(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
