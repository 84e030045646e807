import {
  accessSync,
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fsync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { randomId } from '../base/newId';
import { EngineError } from '../engine';
import { errorCode } from './fileError';
import { resolveLinks } from './nodePaths';

/** Up to this size, bytes are written synchronously; only the flush to disk is awaited. */
const AT_ONCE_BYTES = 64 * 1024;
/** Number of rename attempts, because virus scanners and indexers briefly lock files. */
const WINDOWS_ATTEMPTS = 10;

/**
 * Replaces a file atomically, by renaming a temporary file next to it, so that readers see either the old or the new contents.
 * Keeps the mode and, if permitted, the owner; a new file gets `mode`. A link stays a link, and its target is replaced. Throws
 * EngineError `io` if the path does not lead to `real`, or ceases to while the file is written.
 */
export async function writeAtomically(
  file: string,
  bytes: Uint8Array,
  { mode = 0o666, real }: { mode?: number; real?: string | undefined } = {},
): Promise<void> {
  const judged = real === undefined ? null : (await import('./judgedPlace')).judgedPlace(file, real);
  judged?.check();
  const target = real ?? resolveLinks(file);
  const old = existing(target);
  const folder = path.dirname(target);
  if (!old) makeFolder(folder, target);
  const held = judged?.hold();
  const place = held?.path ?? folder;
  const temporary = path.join(place, `.${randomId()}.tmp`);
  try {
    await writeThrough(temporary, bytes, old?.mode ?? mode);
    if (old) {
      keepOwner(temporary, old);
      chmodSync(temporary, old.mode & 0o7777);
    }
    judged?.check();
    await renameOver(temporary, path.join(place, path.basename(target)));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    held?.close();
  }
}

/** Creates the folder. Node versions differ in how they report a file among its parents. */
function makeFolder(folder: string, target: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new EngineError('not-directory', `${target} is not a folder, or is inside a file.`, { cause: error });
  }
}

interface Existing {
  mode: number;
  uid: number;
  gid: number;
}

/** Checks write access first, because a rename would replace even a read-only file. */
function existing(target: string): Existing | null {
  try {
    const old = statSync(target, { throwIfNoEntry: false });
    if (!old) return null;
    if (old.isDirectory()) throw new EngineError('is-directory', `${target} is a folder.`);
    if (!old.isFile()) throw new EngineError('io', `${target} is not a regular file, so it cannot be replaced.`);
    accessSync(target, constants.W_OK);
    return old;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function writeThrough(temporary: string, bytes: Uint8Array, mode: number): Promise<void> {
  if (bytes.length <= AT_ONCE_BYTES) return writeSmall(temporary, bytes, mode);
  const handle = await open(temporary, 'wx', mode & 0o777);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeSmall(temporary: string, bytes: Uint8Array, mode: number): Promise<void> {
  const file = openSync(temporary, 'wx', mode & 0o777);
  try {
    writeFileSync(file, bytes);
    await promisify(fsync)(file);
  } finally {
    closeSync(file);
  }
}

function keepOwner(temporary: string, { uid, gid }: Existing): void {
  const now = statSync(temporary);
  if (now.uid === uid && now.gid === gid) return;
  try {
    chownSync(temporary, uid, gid);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error;
  }
}

async function renameOver(temporary: string, target: string): Promise<void> {
  const attempts = process.platform === 'win32' ? WINDOWS_ATTEMPTS : 1;
  for (let attempt = 1; ; attempt++) {
    try {
      renameSync(temporary, target);
      return;
    } catch (error) {
      const held = ['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error) ?? '');
      if (!held || attempt >= attempts) throw error;
      await setTimeout(20 * attempt);
    }
  }
}
