import path from 'node:path';
import type { PathStyle } from '../engine';

/** Paths as this machine writes them; tests hand in the other machine's. */
export function nodePaths(style: Omit<path.PlatformPath, 'posix' | 'win32'> = path): PathStyle {
  return {
    isAbsolute: (one) => style.isAbsolute(one),
    resolve: (base, ...parts) => style.resolve(base, ...parts),
    relative(base, to) {
      const relative = style.relative(base, to).replaceAll(style.sep, '/');
      // There is no way from one Windows drive to another; it still has to be told from a path inside.
      return style.isAbsolute(relative) ? `../${relative}` : relative;
    },
    dirname: (one) => style.dirname(one),
    basename: (one) => style.basename(one),
  };
}
