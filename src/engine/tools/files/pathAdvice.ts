import { EngineError } from '../../engineError';
import { protectedPart } from '../../permissions/protectedPaths';
import type { FileSystem, PathStyle } from '../../ports';
import { ToolFailure } from '../toolOutput';
import { listedName, type ResolvedPath, resolvePath } from './resolvePath';
import { similarityTo } from './similarLines';

const MAX_NAMES = 5;
/** The similarity of two names, from 0 to 1, from which one may be meant by the other. */
const LIKE_ENOUGH = 0.25;

/**
 * Returns the failure for a model about a path that does not exist, with the nearest existing folder and what is in it. Says
 * nothing about folders outside the workspace or protected ones: approval for the one file does not extend to its surroundings.
 */
export async function pathAdvice(
  files: FileSystem,
  paths: PathStyle,
  workspace: string,
  missing: ResolvedPath,
  kind: 'file' | 'folder',
): Promise<ToolFailure> {
  const meant = await fromWorkspace(files, paths, workspace, missing);
  if (meant !== undefined) return new ToolFailure('failed', `No ${kind} ${missing.shown}. Did you mean ${meant}?`);
  let wanted = missing.absolute;
  for (;;) {
    const parent = paths.dirname(wanted);
    if (!(await mayBeShown(files, paths, workspace, parent))) {
      return new ToolFailure('failed', `No ${kind} ${missing.shown}.`);
    }
    const names = await namesIn(files, parent);
    if (names !== null || parent === wanted) {
      const there = nearby(names ?? [], paths.basename(wanted));
      const shown = there.map((name) => listedName(resolvePath(paths, workspace, paths.resolve(parent, name)).shown));
      const folder = resolvePath(paths, workspace, parent).shown;
      const gone =
        wanted === missing.absolute ? '' : ` There is no ${resolvePath(paths, workspace, wanted).shown} either.`;
      const near = shown.length > 0 ? ` Nearby: ${shown.join(', ')}.` : '';
      const hint = names?.length === 0 ? ` The folder ${folder} is empty.` : near;
      return new ToolFailure('failed', `No ${kind} ${missing.shown}.${gone}${hint}`);
    }
    wanted = parent;
  }
}

/** Returns the path in the workspace that a model may mean by one that leads out of it; undefined if there is none that it may see. */
export function meantInWorkspace(
  files: FileSystem,
  paths: PathStyle,
  workspace: string,
  path: string,
): Promise<string | undefined> {
  return fromWorkspace(files, paths, workspace, resolvePath(paths, workspace, path));
}

/**
 * Returns the same path relative to the workspace, if that exists, worded for the model: models write the workspace as `/`, or
 * prefix its name.
 */
async function fromWorkspace(
  files: FileSystem,
  paths: PathStyle,
  workspace: string,
  { absolute, shown }: ResolvedPath,
): Promise<string | undefined> {
  const name = paths.basename(workspace);
  const asked = shown.replaceAll('\\', '/');
  const from = asked.startsWith('/')
    ? asked.replace(/^\/+/, '')
    : asked.startsWith(`${name}/`)
      ? asked.slice(name.length + 1)
      : '';
  const meant = paths.resolve(workspace, from);
  if (from === '' || meant === absolute || !(await mayBeShown(files, paths, workspace, meant))) return undefined;
  try {
    await files.stat(meant);
    return resolvePath(paths, workspace, meant).shown;
  } catch (error) {
    if (EngineError.is(error)) return undefined;
    throw error;
  }
}

async function mayBeShown(files: FileSystem, paths: PathStyle, workspace: string, folder: string): Promise<boolean> {
  try {
    const relative = paths.relative(await files.realPath(workspace), await files.realPath(folder));
    const isOutside = relative === '..' || relative.startsWith('../');
    return !isOutside && protectedPart(relative) === undefined;
  } catch (error) {
    if (EngineError.is(error)) return false;
    throw error;
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

/** Returns the names most similar to the wanted one, if any. */
function nearby(names: readonly string[], wanted: string): string[] {
  // The slashes give weight to equal beginnings and ends, which is what short names with a typo have in common.
  const marked = (name: string) => `/${name.replace(/\/$/, '').toLowerCase()}/`;
  const likeness = similarityTo(marked(wanted));
  return names
    .map((name) => ({ name, score: likeness(marked(name)) }))
    .filter(({ score }) => score >= LIKE_ENOUGH)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_NAMES)
    .map(({ name }) => name);
}
