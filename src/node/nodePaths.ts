import path from 'node:path';
import type { PathStyle } from '../engine';

/** Matches empty segments and `.` or `..` segments. */
const ROUNDABOUT = /\/\.{0,2}(?:\/|$)/;

/** Whether a path is absolute and already normalized, as nearly all are. Node would process it character by character. */
function isPlain(path: string): boolean {
  return path.startsWith('/') && !ROUNDABOUT.test(path);
}

function plainRelative(base: string, to: string): string {
  if (to === base) return '';
  if (to.startsWith(`${base}/`)) return to.slice(base.length + 1);
  const [from, parts] = [base.split('/'), to.split('/')];
  // They differ within the base, so the other path is not below it.
  const same = from.findIndex((part, at) => part !== parts[at]);
  return [...from.slice(same).fill('..'), ...parts.slice(same)].join('/');
}

/** Returns path functions for this platform; tests pass in the other platform's. */
export function nodePaths(style: Omit<path.PlatformPath, 'posix' | 'win32'> = path): PathStyle {
  return {
    isAbsolute: (one) => style.isAbsolute(one),
    resolve(base, ...parts) {
      const [only, ...more] = parts;
      if (style.sep === '/' && only !== undefined && more.length === 0) {
        const whole = only.startsWith('/') || !base.startsWith('/') ? only : `${base}/${only}`;
        if (isPlain(whole)) return whole;
      }
      return style.resolve(base, ...parts);
    },
    relative(base, to) {
      if (style.sep === '/' && isPlain(base) && isPlain(to)) return plainRelative(base, to);
      const relative = style.relative(base, to).replaceAll(style.sep, '/');
      // There is no relative path between Windows drives, but the result must not look like one inside the base.
      return style.isAbsolute(relative) ? `../${relative}` : relative;
    },
    dirname: (one) => style.dirname(one),
    basename: (one) => style.basename(one),
  };
}
