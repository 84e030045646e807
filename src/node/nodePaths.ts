import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { EngineError, type PathStyle } from '../engine';
import { errorCode } from './fileError';

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

const MAX_LINKS = 40;

/**
 * Resolves a path even if nothing exists there yet: follows links, including dangling ones, and appends missing parts to the
 * nearest existing parent.
 */
export function resolveLinks(file: string, followed = 0): string {
  try {
    return realpathSync.native(file);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
  }
  if (followed > MAX_LINKS) throw new EngineError('io', `${file} is a link that leads back to itself.`);
  const parent = path.dirname(file);
  if (parent === file) return file;
  const folder = resolveLinks(parent, followed);
  const target = linkTarget(file);
  return target === null
    ? path.join(folder, path.basename(file))
    : resolveLinks(path.resolve(folder, target), followed + 1);
}

function linkTarget(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}
