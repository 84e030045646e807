import { appendFileSync, type Dirent, type Stats } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { DirectoryEntry, FileStat, FileSystem } from '../engine';
import { errorCode } from './errorCode';
import { fileError } from './fileError';
import { lockFile } from './locks/lockFile';
import { resolveLinks } from './resolveLinks';
import { writeAtomically } from './writeAtomically';

/** Files on disk. */
export function nodeFileSystem(): FileSystem {
  return {
    readFile: (file) => named(file, readFile(file)),
    writeFile: (file, bytes) => named(file, writeAtomically(file, bytes)),
    appendFile: (file, text) => named(file, append(file, Buffer.from(text))),
    stat: async (file) => statOf(await named(file, stat(file))),
    async readDirectory(folder) {
      const entries = await named(folder, readdir(folder, { withFileTypes: true }));
      return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    },
    async makeDirectory(folder) {
      await named(folder, mkdir(folder, { recursive: true }));
    },
    remove: (file) => named(file, rm(file, { recursive: true, force: true })),
    lock: (file) => named(file, lockFile(file)),
    realPath: (file) => named(file, resolveLinks(file)),
  };
}

async function named<T>(file: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw fileError(error, file);
  }
}

/** A line of a log is written at once: four turns through the thread pool cost ten times what the write itself does. */
const AT_ONCE_BYTES = 64 * 1024;

async function append(file: string, bytes: Uint8Array): Promise<void> {
  if (bytes.length <= AT_ONCE_BYTES && appendAtOnce(file, bytes)) return;
  const handle = await openToAppend(file);
  try {
    let written = 0;
    do {
      written += (await handle.write(bytes, written)).bytesWritten;
    } while (written < bytes.length);
  } finally {
    await handle.close();
  }
}

/** False when the folder has to be made first. */
function appendAtOnce(file: string, bytes: Uint8Array): boolean {
  try {
    appendFileSync(file, bytes);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

async function openToAppend(file: string) {
  try {
    return await open(file, 'a');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    await mkdir(path.dirname(file), { recursive: true });
    return open(file, 'a');
  }
}

function statOf(stats: Stats): FileStat {
  const kind = stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other';
  return { kind, size: stats.size, modifiedAt: stats.mtimeMs };
}

function kindOf(entry: Dirent): DirectoryEntry['kind'] {
  if (entry.isSymbolicLink()) return 'symlink';
  if (entry.isDirectory()) return 'directory';
  return entry.isFile() ? 'file' : 'other';
}
