import { appendFileSync, type Dirent, mkdirSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { DirectoryEntry, FileStat, FileSystem } from '../engine';
import { errorCode } from './errorCode';
import { fileError } from './fileError';
import { lockFile } from './locks/lockFile';
import { resolveLinks } from './resolveLinks';
import { watchFolder } from './watchFolder';
import { writeAtomically } from './writeAtomically';

/**
 * What takes some ten microseconds is done at once: each turn through the thread pool costs ten times that, and a call of a
 * tool would take dozens of them. What is long is not.
 */
const AT_ONCE_BYTES = 64 * 1024;

/** Files on disk. */
export function nodeFileSystem(watches = true): FileSystem {
  return {
    readFile: (file) => named(file, () => read(file)),
    writeFile: (file, bytes) => named(file, () => writeAtomically(file, bytes)),
    appendFile: (file, text) => named(file, () => append(file, Buffer.from(text))),
    stat: (file) => named(file, () => statOf(statSync(file))),
    readDirectory: (folder) =>
      named(folder, () =>
        readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, kind: kindOf(entry) })),
      ),
    async makeDirectory(folder) {
      await named(folder, () => mkdir(folder, { recursive: true }));
    },
    remove: (file) => named(file, () => rm(file, { recursive: true, force: true })),
    realPath: (file) => named(file, () => resolveLinks(file)),
    lock: (file) => named(file, () => lockFile(file)),
    ...(watches && { watch: watchFolder }),
  };
}

async function named<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw fileError(error, file);
  }
}

async function read(file: string): Promise<Uint8Array> {
  const small = readSmall(file);
  if (!small) return readFile(file);
  // Whoever reads many files one after another lets others go on in between.
  await setImmediate();
  return small;
}

/** Null for what may be long, or may never end, such as a pipe. */
function readSmall(file: string): Uint8Array | null {
  const stat = statSync(file);
  // Files of the system that have no size may wait for something.
  return stat.isFile() && stat.size > 0 && stat.size <= AT_ONCE_BYTES ? readFileSync(file) : null;
}

async function append(file: string, bytes: Uint8Array): Promise<void> {
  if (bytes.length <= AT_ONCE_BYTES) return inItsFolder(file, () => appendFileSync(file, bytes));
  const handle = await inItsFolder(file, () => open(file, 'a'));
  try {
    let written = 0;
    do {
      written += (await handle.write(bytes, written)).bytesWritten;
    } while (written < bytes.length);
  } finally {
    await handle.close();
  }
}

/** Makes the folder of the file when that is what was missing. */
async function inItsFolder<T>(file: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    mkdirSync(path.dirname(file), { recursive: true });
    return work();
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
