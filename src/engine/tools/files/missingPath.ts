import { EngineError } from '../../engineError';
import type { FileSystem, PathStyle } from '../../ports';
import { ToolFailure } from '../toolFailure';
import { type ResolvedPath, resolvePath } from './resolvePath';
import { similarityTo } from './similarity';

const MAX_NAMES = 5;

/** What a model is told of a path that does not exist: the nearest folder that does, and what is in it. */
export async function missingPath(
  files: FileSystem,
  paths: PathStyle,
  workspace: string,
  missing: ResolvedPath,
  kind: 'file' | 'folder',
): Promise<ToolFailure> {
  let wanted = missing.absolute;
  for (;;) {
    const parent = paths.dirname(wanted);
    const names = await namesIn(files, parent);
    if (names !== null || parent === wanted) {
      const there = nearby(names ?? [], paths.basename(wanted));
      const shown = there.map((name) => resolvePath(paths, workspace, paths.resolve(parent, name)).shown);
      const folder = resolvePath(paths, workspace, parent).shown;
      const gone =
        wanted === missing.absolute ? '' : ` There is no ${resolvePath(paths, workspace, wanted).shown} either.`;
      const hint = shown.length > 0 ? `Nearby: ${shown.join(', ')}.` : `The folder ${folder} is empty.`;
      return new ToolFailure('failed', `No ${kind} ${missing.shown}.${gone} ${hint}`);
    }
    wanted = parent;
  }
}

async function namesIn(files: FileSystem, folder: string): Promise<string[] | null> {
  try {
    return (await files.readDirectory(folder)).map(({ name, kind }) => (kind === 'directory' ? `${name}/` : name));
  } catch (error) {
    if (EngineError.is(error)) return null;
    throw error;
  }
}

/** The names most like the wanted one; any names when none is like it. */
function nearby(names: readonly string[], wanted: string): string[] {
  // The marks let equal beginnings and ends count, which is what short names with a slip have in common.
  const marked = (name: string) => `/${name.replace(/\/$/, '').toLowerCase()}/`;
  const likeness = similarityTo(marked(wanted));
  return names
    .map((name) => ({ name, score: likeness(marked(name)) }))
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}
