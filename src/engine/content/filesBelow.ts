import { EngineError } from '../engineError';
import { refuseElsewhere } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';
import type { ContentWorld } from './contentProblem';
import type { OpenCodeConfig } from './openCodeConfig';
import { type ContentRoot, FOUND_KINDS, type FoundKind, IN_HOME, IN_WORKSPACE, isBelow } from './contentRoots';

/** Default number of folder levels. */
const MAX_DEPTH = 8;
const TOO_DEEP = `Files more than ${MAX_DEPTH} folders deep are ignored.`;

interface FilesBelowOptions {
  /** Number of folder levels to descend. Default: eight. */
  levels?: number;
  /** A workspace: links that lead out of it, or to something protected in it, count as unreadable. */
  within?: string | undefined;
  /**
   * Called for a subfolder that cannot be read, a file that `within` excludes, or a folder below the default depth; the search
   * continues.
   */
  onUnreadable?: (folder: string, error: unknown) => void;
}

interface Walk {
  within: string | undefined;
  files: FileSystem;
  paths: PathStyle;
  onTooDeep: (folder: string) => void;
  onUnreadable: (folder: string, error: unknown) => void;
}

interface Place {
  folder: string;
  levels: number;
  /** The real paths of the folders from which links were followed. */
  cameFrom: readonly string[];
}

/**
 * Returns every file below a folder, as sorted absolute paths; none if the folder does not exist. Follows links to folders,
 * except those that contain the link itself. Rejects if the folder cannot be read.
 */
export async function filesBelow(
  folder: string,
  files: FileSystem,
  paths: PathStyle,
  { levels, within, onUnreadable = () => undefined }: FilesBelowOptions = {},
): Promise<string[]> {
  const onTooDeep = (path: string) => {
    // A caller that sets the depth knows that there is more below it.
    if (levels === undefined) onUnreadable(path, new EngineError('denied', TOO_DEEP));
  };
  const from: Place = { folder, levels: levels ?? MAX_DEPTH, cameFrom: [] };
  const found = (await filesIn(from, { within, files, paths, onUnreadable, onTooDeep })).sort();
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

/** Returns the files of a root, restricted to `only` if it is set. */
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
        // A repository could link to the root of the disk.
        if (kind === 'symlink' && walk.within !== undefined) await refuseElsewhere(path, walk.within, walk, 'folder');
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

/** Returns the folders passed on the way through a link; undefined if the link leads back to one of them. */
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

/** A broken link counts as neither file nor folder. */
async function kindBehind(path: string, files: FileSystem): Promise<string> {
  try {
    return (await files.stat(path)).kind;
  } catch (error) {
    if (EngineError.is(error)) return 'other';
    throw error;
  }
}

/** Replaces the plugin folder variable in the text of a plugin's file. */
export function withPluginFolder(text: string, { plugin }: Pick<ContentRoot, 'plugin'>): string {
  return plugin === undefined ? text : text.replaceAll('${CLAUDE_PLUGIN_ROOT}', () => plugin);
}

/** The folders of tools for each kind, relative to a workspace or a home. */
function programPlaces(kind: FoundKind) {
  return [...IN_HOME[kind], ...IN_WORKSPACE[kind]];
}

/**
 * Returns the folder of a tool for that kind of content that a file is in, wherever that folder is: `/x/.claude/agents` for
 * `/x/.claude/agents/team/a.md`. The innermost counts.
 */
export function programRoot(kind: FoundKind, path: string): ContentRoot | undefined {
  const slashed = path.replaceAll('\\', '/');
  const found = programPlaces(kind).map(([world, folder]) => ({
    world,
    folder,
    at: slashed.lastIndexOf(`/${folder}/`),
  }));
  const [inner] = found.filter(({ at }) => at >= 0).sort((one, other) => other.at - one.at);
  if (!inner) return undefined;
  return { folder: slashed.slice(0, inner.at + inner.folder.length + 1), scope: 'workspace', world: inner.world };
}

/** The outermost folders of tools, such as `.claude` and `.config/opencode`. */
const PROGRAM_FOLDERS: ReadonlyMap<string, ContentWorld> = new Map(
  FOUND_KINDS.flatMap(programPlaces).map(([world, folder]) => [folder.replace(/\/[^/]+$/, ''), world]),
);

/** Returns the tool in whose folder a file is. */
export function programOf(path: string): ContentWorld | undefined {
  const slashed = path.replaceAll('\\', '/');
  return [...PROGRAM_FOLDERS].find(([folder]) => slashed.includes(`/${folder}/`))?.[1];
}

/** Whether a root is a file of OpenCode's settings instead of a folder. */
export function isConfigRoot({ folder, world }: Pick<ContentRoot, 'folder' | 'world'>): boolean {
  return world === 'opencode' && /\.jsonc?$/.test(folder);
}

/** Reads OpenCode's settings; undefined if there are none. Their reader is loaded with the first. */
export async function readConfigRoot(
  root: ContentRoot,
  ports: { files: FileSystem; paths: PathStyle },
): Promise<OpenCodeConfig | undefined> {
  const found = await ports.files.find(root.folder).catch(() => undefined);
  return found && (await import('./openCodeConfig')).readOpenCodeConfig(root, ports);
}
