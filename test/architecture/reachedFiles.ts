import type { SourceFile } from './sourceFiles';

export interface ReachedOptions {
  /** Paths of the files to begin with. */
  from: Iterable<string>;
  /** Goes by what the program loads; else also by what only the compiler reads. */
  atRuntime: boolean;
}

/** Paths of all files that these import, themselves or through others, with the file that led there first; '' for those to begin with. */
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
