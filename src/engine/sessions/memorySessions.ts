import { KeyedMutex } from '../../base/async';
import { joinBytes } from '../../base/concatAll';
import { randomId } from '../../base/newId';
import { isBelow } from '../content/contentRoots';
import { EngineError, type EngineErrorReason } from '../engineError';
import type { DirectoryEntry, FileLock, FileStat, FileSystem } from '../ports';
import { FileSessionStore } from './fileSessionStore';
import type { SessionsOf } from './sessionStore';

/**
 * Returns sessions that exist only in this process, including their long outputs, copies of changed files, and audit log. Engines
 * that are given the same function share them. Tools can read long outputs as files; commands cannot.
 */
export function memorySessions(): SessionsOf {
  let made: { root: string; files: MemoryFiles } | undefined;
  return (ports) => {
    const { paths, clock } = ports;
    if (!made) {
      const root = paths.resolve('/', 'cairn-memory', randomId());
      const separator = root.includes('\\') ? '\\' : '/';
      made = { root, files: new MemoryFiles(() => clock.now(), separator) };
    }
    const { root, files } = made;
    const isInMemory = (path: string) => isBelow(paths.resolve(path), root, paths);
    const over = (disk: FileSystem) => layeredFiles(disk, files, isInMemory);
    const store = new FileSessionStore(paths.resolve(root, 'sessions'), { ...ports, files });
    return Object.assign(store, { elsewhere: { folder: root, over } });
  };
}

/** Returns a file system that serves paths for which `isInMemory` is true from memory, and others from disk. */
function layeredFiles(disk: FileSystem, memory: FileSystem, isInMemory: (path: string) => boolean): FileSystem {
  const of = (path: string) => (isInMemory(path) ? memory : disk);
  return {
    readFile: (path) => of(path).readFile(path),
    writeFile: (path, bytes, real) => of(path).writeFile(path, bytes, real),
    appendFile: (path, text) => of(path).appendFile(path, text),
    appendLine: (path, line) => of(path).appendLine(path, line),
    stat: (path) => of(path).stat(path),
    find: (path) => of(path).find(path),
    readDirectory: (path) => of(path).readDirectory(path),
    makeDirectory: (path) => of(path).makeDirectory(path),
    remove: (path) => of(path).remove(path),
    lock: (path) => of(path).lock(path),
    isLocked: (path) => of(path).isLocked(path),
    exclusively: (lock, work) => of(lock).exclusively(lock, work),
    realPath: (path) => of(path).realPath(path),
    inTurn: (paths, work, signal) => {
      const onDisk = paths.filter((path) => !isInMemory(path));
      return onDisk.length > 0 ? disk.inTurn(onDisk, work, signal) : memory.inTurn(paths, work, signal);
    },
    ...(disk.digest && { digest: disk.digest }),
    ...(disk.trash && {
      trash: (path: string) => (isInMemory(path) ? memory.remove(path) : (disk.trash?.(path) ?? Promise.resolve())),
    }),
    ...(disk.watch && {
      watch: (folder: string, onChange: () => void) =>
        (isInMemory(folder) ? undefined : disk.watch?.(folder, onChange)) ?? { dispose: () => undefined },
    }),
  };
}

interface MemoryFile {
  /** Joined when read, so that appending to a long file is cheap. */
  parts: Uint8Array[];
  size: number;
  modifiedAt: number;
}

/** An in-memory file system. Paths are absolute and normalized; a folder exists as soon as it contains something. */
class MemoryFiles implements FileSystem {
  private readonly files = new Map<string, MemoryFile>();
  private readonly folders = new Set<string>();
  private readonly locks = new Map<string, object>();
  private readonly turns = new KeyedMutex();

  /** `separator`: the path separator of the platform. */
  constructor(
    private readonly now: () => number,
    private readonly separator: string,
  ) {}

  readFile(path: string): Promise<Uint8Array> {
    return this.at(path, () => whole(this.fileAt(path)).slice());
  }

  writeFile(path: string, bytes: Uint8Array): Promise<void> {
    return this.at(path, () => this.put(path, bytes.slice()));
  }

  appendFile(path: string, text: string): Promise<void> {
    return this.at(path, () => {
      const added = new TextEncoder().encode(text);
      const known = this.files.get(path);
      if (!known) return this.put(path, added);
      known.parts.push(added);
      known.size += added.length;
      known.modifiedAt = this.now();
    });
  }

  appendLine(path: string, line: string): Promise<void> {
    return this.appendFile(path, `${line}\n`);
  }

  stat(path: string): Promise<FileStat> {
    return this.at(path, () => {
      if (!this.files.has(path) && this.isFolder(path)) return { kind: 'directory', size: 0, modifiedAt: 0 };
      const { size, modifiedAt } = this.fileAt(path);
      return { kind: 'file', size, modifiedAt };
    });
  }

  async find(path: string): Promise<FileStat | undefined> {
    return this.files.has(path) || this.isFolder(path) ? this.stat(path) : undefined;
  }

  readDirectory(path: string): Promise<DirectoryEntry[]> {
    return this.at(path, () => {
      if (!this.isFolder(path)) throw this.problem('not-found', path, 'is not there');
      const found = new Map<string, DirectoryEntry>();
      for (const one of [...this.files.keys(), ...this.folders]) {
        const [name, below] = this.within(path, one);
        if (name === undefined) continue;
        const kind = below === undefined && this.files.has(one) ? 'file' : 'directory';
        found.set(name, { name, kind });
      }
      return [...found.values()];
    });
  }

  makeDirectory(path: string): Promise<void> {
    return this.at(path, () => void this.folders.add(path));
  }

  remove(path: string): Promise<void> {
    return this.at(path, () => {
      const isGone = (one: string) => one === path || one.startsWith(path + this.separator);
      for (const one of this.files.keys()) if (isGone(one)) this.files.delete(one);
      for (const one of this.folders) if (isGone(one)) this.folders.delete(one);
    });
  }

  lock(path: string): Promise<FileLock | null> {
    return this.at(path, () => {
      const folder = path.slice(0, path.lastIndexOf(this.separator));
      if (!this.isFolder(folder)) throw this.problem('not-found', folder, 'is not there');
      const mine = {};
      this.locks.set(path, mine);
      this.put(path, new Uint8Array());
      const isHeld = () => this.locks.get(path) === mine && this.files.has(path);
      const release = () => {
        if (isHeld()) this.files.delete(path);
        return Promise.resolve();
      };
      return { isHeld, release };
    });
  }

  /** No other process has access. */
  isLocked(): Promise<boolean> {
    return Promise.resolve(false);
  }

  inTurn<T>(paths: readonly string[], work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.turns.take(paths, work, signal);
  }

  exclusively<T>(lock: string, work: () => Promise<T>): Promise<T> {
    return this.turns.take([lock], work, new AbortController().signal);
  }

  realPath(path: string): Promise<string> {
    return Promise.resolve(path);
  }

  /** Converts thrown errors to rejections. */
  private async at<T>(path: string, work: () => T): Promise<T> {
    // Runs asynchronously, as with files on disk.
    await Promise.resolve(path);
    return work();
  }

  private put(path: string, bytes: Uint8Array): void {
    this.files.set(path, { parts: [bytes], size: bytes.length, modifiedAt: this.now() });
  }

  private fileAt(path: string): MemoryFile {
    const file = this.files.get(path);
    if (file) return file;
    if (this.isFolder(path)) throw this.problem('is-directory', path, 'is a folder');
    throw this.problem('not-found', path, 'is not there');
  }

  private isFolder(path: string): boolean {
    if (this.folders.has(path)) return true;
    return [...this.files.keys(), ...this.folders].some((one) => this.within(path, one)[0] !== undefined);
  }

  /** Returns the segments of a path below a folder. */
  private within(folder: string, path: string): readonly string[] {
    const begin = folder + this.separator;
    return path.startsWith(begin) ? path.slice(begin.length).split(this.separator) : [];
  }

  private problem(reason: EngineErrorReason, path: string, what: string): EngineError {
    return new EngineError(reason, `${path} ${what}. It is kept in memory only.`);
  }
}

function whole(file: MemoryFile): Uint8Array {
  const [first] = file.parts;
  if (first && file.parts.length === 1) return first;
  const bytes = joinBytes(file.parts);
  file.parts = [bytes];
  return bytes;
}
