import path from 'node:path';
import type { PathStyle } from '../engine';

/** With empty parts or dots for parts. */
const ROUNDABOUT = /\/\.{0,2}(?:\/|$)/;

/** Paths as this machine writes them; tests hand in the other machine's. */
export function nodePaths(style: Omit<path.PlatformPath, 'posix' | 'win32'> = path): PathStyle {
  return {
    isAbsolute: (one) => style.isAbsolute(one),
    resolve(base, ...parts) {
      const [only, ...more] = parts;
      // Nearly all are written plainly: Node would go through them sign by sign.
      if (style.sep === '/' && only !== undefined && more.length === 0) {
        const isWhole = only.startsWith('/');
        const whole = isWhole ? only : `${base}/${only}`;
        if ((isWhole || base.startsWith('/')) && !ROUNDABOUT.test(whole)) return whole;
      }
      return style.resolve(base, ...parts);
    },
    relative(base, to) {
      // Nearly all are written plainly and lie below: Node would take both apart first.
      if (style.sep === '/' && to.startsWith(`${base}/`) && base.startsWith('/') && !ROUNDABOUT.test(to)) {
        return to.slice(base.length + 1);
      }
      const relative = style.relative(base, to).replaceAll(style.sep, '/');
      // There is no way from one Windows drive to another; it still has to be told from a path inside.
      return style.isAbsolute(relative) ? `../${relative}` : relative;
    },
    dirname: (one) => style.dirname(one),
    basename: (one) => style.basename(one),
  };
}
