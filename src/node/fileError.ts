import { EngineError, type EngineErrorReason } from '../engine';

const FAILURES = new Map<string, { reason: EngineErrorReason; words: string }>([
  ['ENOENT', { reason: 'not-found', words: 'does not exist' }],
  ['EACCES', { reason: 'denied', words: 'cannot be read or changed by this user; check its permissions' }],
  ['EPERM', { reason: 'denied', words: 'cannot be changed by this user; check its permissions' }],
  ['EROFS', { reason: 'denied', words: 'is on a read-only file system' }],
  ['EISDIR', { reason: 'is-directory', words: 'is a folder' }],
  ['ENOTDIR', { reason: 'not-directory', words: 'is not a folder, or is inside a file' }],
  ['EEXIST', { reason: 'exists', words: 'exists already' }],
  ['ENOSPC', { reason: 'io', words: 'cannot be written: the disk is full. Free some space and try again' }],
  ['EDQUOT', { reason: 'io', words: 'cannot be written: this user’s quota is full. Free some space and try again' }],
  ['EFBIG', { reason: 'io', words: 'would exceed the maximum file size; check the limit of this user (ulimit -f)' }],
  ['EBUSY', { reason: 'io', words: 'is in use by another program; close it there and try again' }],
  ['ETXTBSY', { reason: 'io', words: 'is a running program; stop it and try again' }],
  ['EMFILE', { reason: 'io', words: 'cannot be opened: too many files are open. Close some and try again' }],
  ['ENFILE', { reason: 'io', words: 'cannot be opened: too many files are open. Close some and try again' }],
  ['ELOOP', { reason: 'io', words: 'is a link that leads back to itself' }],
  ['ENAMETOOLONG', { reason: 'io', words: 'has a name that is too long' }],
]);

/** Converts a failed file operation into an EngineError that names the path. */
export function fileError(error: unknown, path: string): EngineError {
  if (EngineError.is(error)) return error;
  const code = errorCode(error);
  const known = code === undefined ? undefined : FAILURES.get(code);
  if (known) return new EngineError(known.reason, `${path} ${known.words}.`, { cause: error });
  const message = error instanceof Error ? error.message : String(error);
  return new EngineError('io', `${path} could not be used: ${message}`, { cause: error });
}

/** Returns the code of a Node error, such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  const coded = typeof error === 'object' && error !== null && 'code' in error;
  return coded && typeof error.code === 'string' ? error.code : undefined;
}
