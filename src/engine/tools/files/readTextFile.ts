import type { FileSystem } from '../../ports';
import type { TextFile } from './formats/textFile';
import { textOfFile } from './formats/textOfFile';
import { readFileBytes } from './readFileBytes';
import type { ResolvedPath } from './resolvePath';

/** Null when there is no such file. Folders, files over 10 MB and files that are not text are refused in words. */
export async function readTextFile(files: FileSystem, path: ResolvedPath): Promise<TextFile | null> {
  const bytes = await readFileBytes(files, path);
  return bytes && textOfFile(bytes, path.shown);
}
