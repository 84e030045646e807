import {
  closeSync,
  type Dirent,
  fstatSync,
  type FSWatcher,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
  watch,
  writeSync,
} from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Disposable } from '../base/disposable';
import type { DirectoryEntry, FileStat, FileSystem } from '../engine';
import { errorCode, fileError } from './fileError';
import { inTurnByFile } from './locks/inTurnByFile';
import { exclusively, isLocked, lockFile } from './locks/lockFile';
import { resolveLinks } from './nodePaths';
import { writeAtomically } from './writeAtomically';

/**
 * Operations that take about ten microseconds run synchronously: a turn through the thread pool costs ten times that, and a tool
 * call would need dozens. Longer operations stay asynchronous.
 */
const AT_ONCE_BYTES = 64 * 1024;

/** Returns the file system of this machine. */
export function nodeFileSystem(watches = true): FileSystem {
  return {
    readFile: (file) => named(file, () => read(file)),
    writeFile: (file, bytes, real) => named(file, () => writeAtomically(file, bytes, { real })),
    appendFile: (file, text) => named(file, () => append(file, Buffer.from(text))),
    appendLine: (file, line) => named(file, () => append(file, Buffer.from(`${line}\n`), true)),
    stat: (file) => named(file, () => statOf(file)),
    find: (file) => named(file, () => statIfThere(file)),
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
    inTurn: inTurnByFile,
    isLocked: (file) => named(file, () => isLocked(file)),
    exclusively: (file, work) => exclusively(file, work),
    digest,
    ...(watches && { watch: watchFolder }),
  };
}

/** Loads node:crypto on first use: most commands never need it. */
function digest(text: string): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(text, 'utf8').digest('hex');
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
  // Lets other work run while someone reads many files in a row.
  await setImmediate();
  return small;
}

/** Reads a small file; null for one that may be long or endless, such as a pipe. */
function readSmall(file: string): Uint8Array | null {
  const stat = statSync(file);
  // Virtual files report no size, and reading them may block.
  return stat.isFile() && stat.size > 0 && stat.size <= AT_ONCE_BYTES ? readFileSync(file) : null;
}

/** Whether a missing file is below another file. Without an exception, Node 24 no longer distinguishes the two. */
function isBelowFile(file: string): boolean {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats) return !stats.isDirectory();
    if (folder === path.dirname(folder)) return false;
  }
}

/** Callers often only check existence, so a missing file must not cost one of Node's errors in addition to Cairn's. */
function statOf(file: string): FileStat {
  const found = statIfThere(file);
  if (found) return found;
  throw fileError({ code: isBelowFile(file) ? 'ENOTDIR' : 'ENOENT' }, file);
}

function statIfThere(file: string): FileStat | undefined {
  const stats = statsOf(file);
  if (!stats) return undefined;
  const kind = stats.isDirectory() ? 'directory' : stats.isFile() ? 'file' : 'other';
  return { kind, size: stats.size, modifiedAt: stats.mtimeMs };
}

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function kindOf(entry: Dirent): DirectoryEntry['kind'] {
  if (entry.isSymbolicLink()) return 'symlink';
  if (entry.isDirectory()) return 'directory';
  return entry.isFile() ? 'file' : 'other';
}

/** Yields to other work after this many bytes. */
const PIECE_BYTES = 1024 * 1024;

const LINE_BREAK = 10;

/**
 * Appends either all bytes or none, creating the file and its folder if missing. With `asLine`, starts a new line if the last one
 * has no line break because its write was cut off.
 */
async function append(file: string, bytes: Uint8Array, asLine = false): Promise<void> {
  const handle = opened(file);
  try {
    const { size } = fstatSync(handle);
    const begun = asLine && size > 0 && lastByte(handle, size) !== LINE_BREAK;
    await write(handle, begun ? Buffer.concat([Uint8Array.of(LINE_BREAK), bytes]) : bytes, size);
  } finally {
    closeSync(handle);
  }
}

/** Writes the bytes. If the disk is full, removes the partial write so that it does not corrupt what comes next. */
async function write(handle: number, bytes: Uint8Array, from: number): Promise<void> {
  let written = 0;
  try {
    while (written < bytes.length) {
      if (written > 0 && written % PIECE_BYTES === 0) await setImmediate();
      written += writeSync(handle, bytes, written, Math.min(PIECE_BYTES, bytes.length - written));
    }
  } catch (error) {
    // Not if someone else has appended in the meantime.
    if (written > 0 && fstatSync(handle).size === from + written) ftruncateSync(handle, from);
    throw error;
  }
}

function lastByte(handle: number, size: number): number | undefined {
  const last = new Uint8Array(1);
  return readSync(handle, last, 0, 1, size - 1) === 1 ? last[0] : undefined;
}

/** Opens a file for appending and reading, creating its folder if that is missing. */
function opened(file: string): number {
  try {
    return openSync(file, 'a+');
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    mkdirSync(path.dirname(file), { recursive: true });
    return openSync(file, 'a+');
  }
}

/** Changes within this time are reported together. */
const QUIET_MS = 60;
/** The depth to which content is searched for. */
const MAX_DEPTH = 8;

/**
 * Calls `onChange` shortly after a file, or something in or below a folder, changes. While the folder does not exist, its nearest existing
 * parent is watched. Never keeps the process running.
 */
export function watchFolder(folder: string, onChange: () => void): Disposable {
  const watchers = new Map<string, { identity: string; watcher: FSWatcher }>();
  let timer: NodeJS.Timeout | undefined;
  let [exists, isDisposed] = [false, false];

  const changed = () => {
    if (!isDisposed) timer ??= setTimeout(settle, QUIET_MS).unref();
  };
  const settle = () => {
    timer = undefined;
    const existed = exists;
    arm();
    // A change in a parent matters only if the folder appeared or disappeared, or is a file.
    if (exists || existed) onChange();
  };
  const arm = () => {
    const wanted = placesToWatch(folder);
    exists = wanted.has(folder);
    for (const [place, { identity, watcher }] of watchers) {
      if (wanted.get(place) === identity) continue;
      watcher.close();
      watchers.delete(place);
    }
    for (const [place, identity] of wanted) if (!watchers.has(place)) add(place, identity, exists);
    // Catches folders created before they were watched.
    if ([...placesToWatch(folder).keys()].some((place) => !wanted.has(place))) changed();
  };
  const add = (place: string, identity: string, isInside: boolean) => {
    const [next] = path.relative(place, folder).split(path.sep);
    try {
      const watcher = watch(place, { persistent: false }, (_event, name) => {
        // A folder reports its own removal under its own name.
        exists ||= name === next && path.dirname(folder) === place;
        if (isInside || name === null || name === next || name === path.basename(place)) changed();
      });
      watcher.on('error', changed);
      watchers.set(place, { identity, watcher });
    } catch {
      // The folder is gone, or the system is out of watchers; the rest is still watched.
    }
  };
  arm();
  return {
    dispose() {
      isDisposed = true;
      clearTimeout(timer);
      for (const { watcher } of watchers.values()) watcher.close();
    },
  };
}

/**
 * Returns the folder and its subfolders, or else its nearest parent, each with its identity, because a recreated folder needs a
 * new watcher. Each gets its own watcher, since not every system supports recursive ones.
 */
function placesToWatch(folder: string): Map<string, string> {
  const below = foldersBelow(folder);
  const places = below.length > 0 ? below : [nearestParent(folder)];
  return new Map(places.map((place) => [place, identityOf(place) ?? '']));
}

function foldersBelow(folder: string, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  try {
    const below = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git')
      .flatMap((entry) => foldersBelow(path.join(folder, entry.name), depth + 1));
    return [folder, ...below];
  } catch {
    return [];
  }
}

function nearestParent(folder: string): string {
  const parent = path.dirname(folder);
  return parent === folder || identityOf(parent) !== undefined ? parent : nearestParent(parent);
}

/**
 * Returns undefined if it is not a folder or not accessible. Includes the creation time, because the inode of a removed folder is
 * often reused.
 */
function identityOf(folder: string): string | undefined {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    return stats?.isDirectory() ? `${stats.ino} ${stats.birthtimeMs}` : undefined;
  } catch {
    return undefined;
  }
}
