import type { PathStyle } from '../../ports';

/** A path that a model wrote, against the workspace. */
export interface ResolvedPath {
  absolute: string;
  /** From the workspace, with forward slashes; begins with `..` outside it. */
  relative: string;
  /** For words: the relative path inside the workspace, `.` for the workspace itself, else the absolute one. */
  shown: string;
}

/** Only resolves; whether a path may be touched is judged by the permission layer. */
export function resolvePath(paths: PathStyle, workspace: string, written: string): ResolvedPath {
  const absolute = paths.resolve(workspace, written);
  const relative = paths.relative(workspace, absolute);
  const outside = relative === '..' || relative.startsWith('../');
  return { absolute, relative, shown: outside ? absolute : relative || '.' };
}
