import { randomUUID } from 'node:crypto';
import { access, chmod, chown, constants, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { EngineError } from '../engine';
import { errorCode } from './errorCode';
import { resolveLinks } from './resolveLinks';

/** How often a rename is tried where virus scanners and indexers hold files for a moment. */
const WINDOWS_ATTEMPTS = 10;

/**
 * Replaces a file so that others see the old contents or the new ones, never a part: a second file beside it takes its
 * name. Mode and, where allowed, owner stay; a link stays a link and its target is replaced.
 */
export async function writeAtomically(file: string, bytes: Uint8Array): Promise<void> {
  const target = await resolveLinks(file);
  const old = await existing(target);
  const folder = path.dirname(target);
  if (!old) await mkdir(folder, { recursive: true });
  const temporary = path.join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeThrough(temporary, bytes, old?.mode ?? 0o666);
    if (old) {
      await keepOwner(temporary, old);
      await chmod(temporary, old.mode & 0o7777);
    }
    await renameOver(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

interface Existing {
  mode: number;
  uid: number;
  gid: number;
}

/** A rename would also replace what may not be written, so that is asked first. */
async function existing(target: string): Promise<Existing | null> {
  try {
    const old = await stat(target);
    if (old.isDirectory()) throw new EngineError('is-directory', `${target} is a folder.`);
    if (!old.isFile()) throw new EngineError('io', `${target} is not a regular file, so it cannot be replaced.`);
    await access(target, constants.W_OK);
    return old;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function writeThrough(temporary: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(temporary, 'wx', mode & 0o777);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function keepOwner(temporary: string, { uid, gid }: Existing): Promise<void> {
  const now = await stat(temporary);
  if (now.uid === uid && now.gid === gid) return;
  try {
    await chown(temporary, uid, gid);
  } catch (error) {
    if (errorCode(error) !== 'EPERM') throw error;
  }
}

async function renameOver(temporary: string, target: string): Promise<void> {
  const attempts = process.platform === 'win32' ? WINDOWS_ATTEMPTS : 1;
  for (let attempt = 1; ; attempt++) {
    try {
      await rename(temporary, target);
      return;
    } catch (error) {
      const held = ['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error) ?? '');
      if (!held || attempt >= attempts) throw error;
      await setTimeout(20 * attempt);
    }
  }
}
