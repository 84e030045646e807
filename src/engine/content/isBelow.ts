import type { PathStyle } from '../ports';

/** True of a path that is a folder or lies in it. */
export function isBelow(path: string, folder: string, paths: PathStyle): boolean {
  return !/^\.\.(?:\/|$)/.test(paths.relative(folder, path));
}
