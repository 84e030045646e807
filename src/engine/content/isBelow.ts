import type { PathStyle } from '../ports';

/** Returns true if the path is the folder itself or is inside it. */
export function isBelow(path: string, folder: string, paths: PathStyle): boolean {
  return !/^\.\.(?:\/|$)/.test(paths.relative(folder, path));
}
