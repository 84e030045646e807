import type { PathStyle } from '../../ports';

/** A path written by a model, resolved against the workspace. */
export interface ResolvedPath {
  absolute: string;
  /** Relative to the workspace, with forward slashes; begins with `..` outside it. */
  relative: string;
  /** For display: the relative path inside the workspace, `.` for the workspace itself, otherwise the absolute path. */
  shown: string;
}

/** Only resolves; the permission layer judges whether a path may be touched. */
export function resolvePath(paths: PathStyle, workspace: string, written: string): ResolvedPath {
  const absolute = paths.resolve(workspace, written);
  const relative = paths.relative(workspace, absolute);
  const outside = relative === '..' || relative.startsWith('../');
  return { absolute, relative, shown: outside ? absolute : relative || '.' };
}

/** Returns a name for a list that models read line by line: quoted as in JSON if characters in it would begin another line. */
export function listedName(name: string): string {
  return /\p{Cc}|\p{Zl}|\p{Zp}/u.test(name) ? JSON.stringify(name) : name;
}
