import type { FileSystem, PathStyle } from '../ports';
import type { JudgedPath, JudgedQuery, PermissionQuery } from './permissionRule';

/** Where paths may lie. */
export interface JudgedPlaces {
  /** Absolute folder against which relative paths are meant. */
  workspace: string;
  /** Absolute folders that count as the workspace too. */
  folders: readonly string[];
  /** Absolute folder of the session, where long outputs are kept; reading there is like reading the workspace. */
  sessionFolder: string;
}

/** Follows symbolic links before anything is judged, so that a link cannot lead out of the workspace unseen. */
export async function judgeQuery(
  query: PermissionQuery,
  places: JudgedPlaces,
  { files, paths }: { files: FileSystem; paths: PathStyle },
): Promise<JudgedQuery> {
  const { paths: asked = [], ...rest } = query;
  if (asked.length === 0) return { ...rest, paths: [] };
  const [workspace, sessionFolder, ...folders] = await Promise.all([
    files.realPath(places.workspace),
    files.realPath(places.sessionFolder),
    ...places.folders.map((folder) => files.realPath(folder)),
  ]);
  const judged = asked.map(async (one): Promise<JudgedPath> => {
    const path = await files.realPath(paths.resolve(places.workspace, one));
    const relative = paths.relative(workspace, path);
    const readable = query.category === 'read' && !leadsOut(paths.relative(sessionFolder, path), paths);
    const inside = [workspace, ...folders].some((folder) => !leadsOut(paths.relative(folder, path), paths));
    return { path, relative, outside: !inside && !readable };
  });
  return { ...rest, paths: await Promise.all(judged) };
}

/** On Windows the way to another drive is no relative path at all. */
function leadsOut(relative: string, paths: PathStyle): boolean {
  return relative === '..' || relative.startsWith('../') || paths.isAbsolute(relative);
}
