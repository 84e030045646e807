import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';

/** How deep folders are looked through; more is a mistake or a loop of links. */
const MAX_DEPTH = 8;

/** Every file below a folder, absolute and sorted; none when the folder does not exist. Links to folders are followed. */
export async function filesBelow(folder: string, files: FileSystem, paths: PathStyle, depth = 0): Promise<string[]> {
  const entries = await entriesOf(folder, files);
  const found = await Promise.all(
    entries.map(async ({ name, kind }): Promise<string[]> => {
      const path = paths.resolve(folder, name);
      const actual = kind === 'symlink' ? await kindBehind(path, files) : kind;
      if (actual === 'file') return [path];
      const isSkipped = name === 'node_modules' || name === '.git' || depth >= MAX_DEPTH;
      return actual === 'directory' && !isSkipped ? filesBelow(path, files, paths, depth + 1) : [];
    }),
  );
  return found.flat().sort();
}

async function entriesOf(folder: string, files: FileSystem): ReturnType<FileSystem['readDirectory']> {
  try {
    return await files.readDirectory(folder);
  } catch (error) {
    if (EngineError.is(error, 'not-found') || EngineError.is(error, 'not-directory')) return [];
    throw error;
  }
}

/** A link to nothing counts as neither. */
async function kindBehind(path: string, files: FileSystem): Promise<string> {
  try {
    return (await files.stat(path)).kind;
  } catch (error) {
    if (EngineError.is(error)) return 'other';
    throw error;
  }
}
