import { readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { EngineError } from '../engine';
import { errorCode } from './fileError';

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
