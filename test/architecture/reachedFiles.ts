import type { SourceFile } from './sourceFiles';

export interface ReachedOptions {
  /** Paths of the starting files. */
  from: Iterable<string>;
  /** True to follow only imports that the program loads; false to follow type-only imports as well. */
  atRuntime: boolean;
}

/**
 * Returns the paths of all files that these files import, directly or transitively, each with the file that first imported it; ''
 * for the starting files.
 */
export function reachedFiles(
  files: readonly SourceFile[],
  { from, atRuntime }: ReachedOptions,
): ReadonlyMap<string, string> {
  const known = new Map(files.map((file) => [file.path, file]));
  const reached = new Map<string, string>();
  const queue = [...from];
  for (const path of queue) reached.set(path, '');
  for (const path of queue) {
    for (const { target, ours, typeOnly } of known.get(path)?.imports ?? []) {
      if (!ours || (atRuntime && typeOnly) || reached.has(target)) continue;
      reached.set(target, path);
      queue.push(target);
    }
  }
  return reached;
}
