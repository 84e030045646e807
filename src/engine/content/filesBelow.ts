import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import { refuseElsewhere } from '../permissions/repositoryFile';
import type { ContentRoot } from './contentRoots';
import { isBelow } from './isBelow';

/** How deep folders are looked through. */
const MAX_DEPTH = 8;
const TOO_DEEP = `Files more than ${MAX_DEPTH} folders deep are ignored.`;

export interface FilesBelowOptions {
  /** How many levels of folders are looked through. Default: eight. */
  levels?: number;
  /** A workspace: what is a link out of it, or to something protected in it, counts as unreadable. */
  within?: string | undefined;
  /** Told of a folder further down that cannot be read; what is beside it is found all the same. */
  onUnreadable?: (folder: string, error: unknown) => void;
}

interface Walk {
  files: FileSystem;
  paths: PathStyle;
  onTooDeep: (folder: string) => void;
  onUnreadable: (folder: string, error: unknown) => void;
}

interface Place {
  folder: string;
  levels: number;
  /** The real folders out of which links led here. */
  cameFrom: readonly string[];
}

/**
 * Every file below a folder, absolute and sorted; none when the folder does not exist. Links to folders are followed, but
 * not to one that the link itself lies in. Rejects when the folder cannot be read.
 */
export async function filesBelow(
  folder: string,
  files: FileSystem,
  paths: PathStyle,
  { levels, within, onUnreadable = () => undefined }: FilesBelowOptions = {},
): Promise<string[]> {
  const onTooDeep = (path: string) => {
    // Who says how deep to look knows what lies further down.
    if (levels === undefined) onUnreadable(path, new EngineError('denied', TOO_DEEP));
  };
  const from: Place = { folder, levels: levels ?? MAX_DEPTH, cameFrom: [] };
  const found = (await filesIn(from, { files, paths, onUnreadable, onTooDeep })).sort();
  if (within === undefined || found.length === 0) return found;
  const own = await Promise.all(
    found.map((path) =>
      refuseElsewhere(path, within, { files, paths }).then(
        () => [path],
        (error: unknown) => {
          if (!EngineError.is(error)) throw error;
          onUnreadable(path, error);
          return [];
        },
      ),
    ),
  );
  return own.flat();
}

/** The files of a root, or those of them that alone count. */
export async function filesOf(
  { folder, within, only }: Pick<ContentRoot, 'folder' | 'within' | 'only'>,
  files: FileSystem,
  paths: PathStyle,
  options: Omit<FilesBelowOptions, 'within'>,
): Promise<string[]> {
  const levels = only && { levels: 1 };
  const found = await filesBelow(folder, files, paths, { ...options, ...levels, within });
  return only ? found.filter((path) => only.includes(path)) : found;
}

async function filesIn(place: Place, walk: Walk): Promise<string[]> {
  const entries = await entriesOf(place.folder, walk.files);
  const found = await Promise.all(
    entries.map(async ({ name, kind }): Promise<string[]> => {
      const path = walk.paths.resolve(place.folder, name);
      const actual = kind === 'symlink' ? await kindBehind(path, walk.files) : kind;
      if (actual === 'file') return [path];
      if (actual !== 'directory' || name === 'node_modules' || name === '.git') return [];
      if (place.levels === 0) {
        walk.onTooDeep(path);
        return [];
      }
      try {
        const cameFrom = kind === 'symlink' ? await behindLink(path, place, walk) : place.cameFrom;
        return cameFrom ? await filesIn({ folder: path, levels: place.levels - 1, cameFrom }, walk) : [];
      } catch (error) {
        if (!EngineError.is(error)) throw error;
        walk.onUnreadable(path, error);
        return [];
      }
    }),
  );
  return found.flat();
}

/** Where one came from who follows a link; undefined when the link leads back there. */
async function behindLink(
  link: string,
  { folder, cameFrom }: Place,
  { files, paths }: Walk,
): Promise<readonly string[] | undefined> {
  const [here, there] = await Promise.all([files.realPath(folder), files.realPath(link)]);
  const passed = [...cameFrom, here];
  return passed.some((one) => isBelow(one, there, paths)) ? undefined : passed;
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
