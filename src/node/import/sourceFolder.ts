import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { throwIfAborted } from '../../base/abort';
import { EngineError } from '../../engine';
import { errorCode, fileError } from '../fileError';

/** Limit for files read as a whole. */
const MAX_TEXT_BYTES = 1024 * 1024;
/** Limit for sessions, which are read line by line if their format allows it. */
const MAX_SESSION_BYTES = 128 * 1024 * 1024;
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const MAX_ENTRIES = 20_000;
const MAX_DEPTH = 8;
const CHUNK_BYTES = 256 * 1024;

interface SourceEntry {
  name: string;
  /** `link`: a symbolic link, which is not followed. */
  kind: 'file' | 'folder' | 'link';
}

interface SourceText {
  text: string;
  modifiedAt: number;
  executable: boolean;
}

/**
 * The folder of another tool, opened read-only: nothing in it is written or locked, links out of it are not followed, and only
 * regular files are opened.
 */
export class SourceFolder {
  private constructor(
    /** Absolute path. */
    readonly root: string,
    private readonly real: string,
    readonly signal: AbortSignal,
  ) {}

  /** Opens a folder; undefined if it does not exist. Rejects with EngineError if it cannot be read. */
  static async open(folder: string, signal: AbortSignal): Promise<SourceFolder | undefined> {
    const root = path.resolve(folder);
    try {
      const real = await realpath(root);
      return (await lstat(real)).isDirectory() ? new SourceFolder(root, real, signal) : undefined;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
      throw fileError(error, root);
    }
  }

  at(...parts: readonly string[]): string {
    return path.join(this.root, ...parts);
  }

  /** Lists entries, sorted; empty if the folder does not exist or is a link out of the source. */
  async list(...parts: readonly string[]): Promise<SourceEntry[]> {
    throwIfAborted(this.signal);
    const folder = await this.realPlace(parts);
    if (folder === undefined) return [];
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries
        .flatMap((entry): SourceEntry[] => {
          const kind = entry.isFile()
            ? 'file'
            : entry.isDirectory()
              ? 'folder'
              : entry.isSymbolicLink()
                ? 'link'
                : null;
          return kind ? [{ name: entry.name, kind }] : [];
        })
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .slice(0, MAX_ENTRIES);
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return [];
      throw fileError(error, this.at(...parts));
    }
  }

  /** Lists files at any depth, relative with slashes, and links, which are not followed. */
  async below(...parts: readonly string[]): Promise<{ files: string[]; links: string[] }> {
    const found: { files: string[]; links: string[] } = { files: [], links: [] };
    await this.collect(parts, '', found, 0);
    return found;
  }

  private async collect(
    parts: readonly string[],
    under: string,
    found: { files: string[]; links: string[] },
    depth: number,
  ): Promise<void> {
    for (const { name, kind } of await this.list(...parts)) {
      const relative = under === '' ? name : `${under}/${name}`;
      if (kind === 'file' && found.files.length < MAX_ENTRIES) found.files.push(relative);
      else if (kind === 'link') found.links.push(relative);
      else if (kind === 'folder' && depth < MAX_DEPTH) await this.collect([...parts, name], relative, found, depth + 1);
    }
  }

  /** Reads a text file; undefined if it does not exist. Rejects with EngineError if it is too large, not text, a link, or unreadable. */
  async readText(parts: readonly string[], max = MAX_TEXT_BYTES): Promise<SourceText | undefined> {
    const found = await this.readBytes(parts, max);
    if (!found) return undefined;
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(found.bytes);
      return { text, modifiedAt: found.modifiedAt, executable: found.executable };
    } catch {
      throw new EngineError('invalid-input', `${this.at(...parts)} is not UTF-8 text.`);
    }
  }

  async readBytes(parts: readonly string[], max = MAX_TEXT_BYTES) {
    return this.withFile(parts, async (file, { size, mtimeMs, mode }) => {
      if (size > max) throw this.tooLarge(parts, size, max);
      const bytes = Buffer.alloc(size);
      let length = 0;
      while (length < size) {
        const { bytesRead } = await file.read(bytes, length, size - length, length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return { bytes: bytes.subarray(0, length), modifiedAt: Math.round(mtimeMs), executable: (mode & 0o100) !== 0 };
    });
  }

  /** Returns milliseconds since the epoch and the size in bytes; undefined if the file does not exist or is a link. */
  async stat(...parts: readonly string[]): Promise<{ modifiedAt: number; size: number } | undefined> {
    return this.withFile(parts, async (_, { size, mtimeMs }) => ({ modifiedAt: Math.round(mtimeMs), size })).catch(
      (error: unknown) => {
        if (EngineError.is(error)) return undefined;
        throw error;
      },
    );
  }

  /** Hashes a whole file, regardless of its length up to the session limit. */
  async digest(...parts: readonly string[]): Promise<string> {
    const hash = createHash('sha256');
    await this.withFile(parts, async (file, { size }) => {
      if (size > MAX_SESSION_BYTES) throw this.tooLarge(parts, size, MAX_SESSION_BYTES);
      for await (const chunk of this.chunks(file)) hash.update(chunk);
    });
    return hash.digest('hex');
  }

  /** Calls `onLine` for each line with its number; with `null` for a line that is too long. */
  async lines(parts: readonly string[], onLine: (line: string | null, number: number) => void): Promise<void> {
    await this.withFile(parts, async (file, { size }) => {
      if (size > MAX_SESSION_BYTES) throw this.tooLarge(parts, size, MAX_SESSION_BYTES);
      let number = 0;
      let held: Buffer[] = [];
      let length = 0;
      const take = (piece: Buffer) => {
        length += piece.length;
        if (length <= MAX_LINE_BYTES) held.push(piece);
        else held = [];
      };
      const end = () => {
        onLine(length > MAX_LINE_BYTES ? null : Buffer.concat(held).toString('utf8'), ++number);
        held = [];
        length = 0;
      };
      for await (const chunk of this.chunks(file)) {
        let from = 0;
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
          take(chunk.subarray(from, at));
          end();
          from = at + 1;
        }
        take(Buffer.from(chunk.subarray(from)));
      }
      if (length > 0) end();
    });
  }

  private async *chunks(file: FileHandle): AsyncGenerator<Buffer> {
    let position = 0;
    for (;;) {
      throwIfAborted(this.signal);
      const buffer = Buffer.alloc(CHUNK_BYTES);
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  /** Opens a regular file inside the source; undefined if there is none. */
  private async withFile<T>(
    parts: readonly string[],
    use: (file: FileHandle, stat: { size: number; mtimeMs: number; mode: number }) => Promise<T>,
  ): Promise<T | undefined> {
    throwIfAborted(this.signal);
    const shown = this.at(...parts);
    try {
      const real = await this.realPlace(parts);
      if (real === undefined) return undefined;
      // Protects against files swapped in the meantime: opening a pipe would block, and a link leads elsewhere.
      const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      try {
        const stat = await file.stat();
        if (!stat.isFile()) throw new EngineError('invalid-input', `${shown} is not a regular file.`);
        return await use(file, stat);
      } finally {
        await file.close();
      }
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
      throw fileError(error, shown);
    }
  }

  /** Resolves links; undefined if nothing is there. Rejects for paths outside the source. */
  private async realPlace(parts: readonly string[]): Promise<string | undefined> {
    try {
      const real = await realpath(this.at(...parts));
      if (real === this.real || real.startsWith(this.real + path.sep)) return real;
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return undefined;
      throw fileError(error, this.at(...parts));
    }
    throw new EngineError(
      'denied',
      `${this.at(...parts)} leads out of ${this.root} and is not read. Name that place with --from to import it.`,
    );
  }

  private tooLarge(parts: readonly string[], size: number, max: number): EngineError {
    const [is, may] = [size, max].map((bytes) => `${Math.ceil(bytes / 1024 / 1024)} MB`);
    return new EngineError(
      'invalid-input',
      `${this.at(...parts)} is larger than Cairn imports (${is}, at most ${may}).`,
    );
  }
}
