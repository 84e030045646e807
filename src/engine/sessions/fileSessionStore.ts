import type { Disposable } from '../../base/disposable';
import { errorText } from '../../base/errors';
import * as z from '../../base/zod';
import { EngineError } from '../engineError';
import type { FileLock, FileStat } from '../ports';
import { parseHistory, readStored } from './parseHistory';
import { isHeldBeside, lockHere } from './processHolds';
import { type SessionEntry, type SessionMetadata, sessionMetadataSchema } from './sessionEntry';
import { newMetadata, rebuildMetadata, struckMetadata, withoutLoops } from './sessionMetadata';
import type { NewSession, SessionHold, SessionStore, SessionStorePorts, StoredSession } from './sessionStore';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const HISTORY = 'history.jsonl';
const METADATA = 'metadata.json';
/** Messages sent to a session while another process was running in it. */
const WAITING = 'waiting.jsonl';
const RUN_LOCK = 'run.lock';

/**
 * Stores a session as `<root>/<uuid>/metadata.json`, which is replaced atomically, and `<root>/<uuid>/history.jsonl`, which is
 * append-only and written only by the holder of `run.lock`.
 */
export class FileSessionStore implements SessionStore {
  private readonly queues = new Map<string, Promise<unknown>>();
  private readonly removed = new Set<string>();
  /** Size of each session's history when it was last read, or when this process last stopped running in it. */
  private readonly sizes = new Map<string, number>();
  private readonly holds = new Map<string, FileLock>();

  constructor(
    private readonly root: string,
    private readonly ports: SessionStorePorts,
  ) {}

  get strike(): SessionStorePorts['strike'] {
    return this.ports.strike;
  }

  get secretsKnown(): SessionStorePorts['secretsKnown'] {
    return this.ports.secretsKnown;
  }

  folder(id: string): string {
    if (!UUID.test(id)) throw new EngineError('invalid-input', `"${id}" is not the id of a session.`);
    return this.ports.paths.resolve(this.root, id);
  }

  async create(session: NewSession): Promise<SessionMetadata> {
    const metadata = this.struck(newMetadata(session, this.ports.clock.now()));
    await this.writeMetadata(metadata);
    this.sizes.set(metadata.id, 0);
    return metadata;
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    const { files, paths } = this.ports;
    await files.makeDirectory(this.root);
    return files.exclusively(paths.resolve(this.root, 'names.lock'), work);
  }

  open(id: string): Promise<StoredSession> {
    return this.inTurn(id, async () => {
      const { entries, problems } = await this.readHistory(id);
      const metadata = await this.readMetadata(id).catch((error: unknown) => {
        if (entries.length === 0) throw this.notFound(id, error);
        problems.push(`${this.file(id, METADATA)}: ${errorText(error)} It was rebuilt from the history.`);
        return this.rebuild(id, entries, problems);
      });
      return { metadata, entries, problems };
    });
  }

  append(id: string, entry: SessionEntry): Promise<void> {
    return this.inTurn(id, () =>
      this.whileHeld(id, () => this.ports.files.appendLine(this.file(id, HISTORY), JSON.stringify(entry))),
    );
  }

  changeMetadata(
    id: string,
    changes: Partial<Omit<SessionMetadata, 'id' | 'version'>>,
    isStill: (now: SessionMetadata) => boolean = () => true,
  ): Promise<SessionMetadata> {
    return this.inTurn(id, async () => {
      // For a session that does not exist, this error is clearer than that of its missing lock.
      await this.ports.files.stat(this.file(id, METADATA));
      return this.ports.files.exclusively(this.file(id, 'metadata.lock'), async () => {
        const known = await this.readMetadata(id);
        if (!isStill(known)) return known;
        const metadata = this.struck({ ...known, modifiedAt: this.ports.clock.now(), ...changes });
        await this.writeMetadata(metadata);
        return metadata;
      });
    });
  }

  hold(id: string): Promise<SessionHold | null> {
    return this.inTurn(id, async () => {
      const lock = this.holds.has(id) ? null : await this.lock(id);
      if (!lock) return null;
      try {
        this.holds.set(id, lock);
        await this.takeWaiting(id);
        const changed = this.sizes.has(id) && this.sizes.get(id) !== (await this.historySize(id));
        return { changed, release: () => this.release(id, lock) };
      } catch (error) {
        await this.release(id, lock);
        throw error;
      }
    });
  }

  async heldElsewhere(id: string): Promise<boolean> {
    const path = this.file(id, RUN_LOCK);
    return !this.holds.has(id) && (isHeldBeside(path, this) || (await this.ports.files.isLocked(path)));
  }

  keepWaiting(id: string, entries: readonly SessionEntry[]): Promise<void> {
    return this.inTurn(id, () =>
      this.ports.files.exclusively(this.file(id, 'waiting.lock'), async () => {
        for (const entry of entries) await this.ports.files.appendLine(this.file(id, WAITING), JSON.stringify(entry));
      }),
    );
  }

  readAtRest(id: string) {
    return this.inTurn(id, async () => {
      // The lock may be left by a process that was killed: the next process to run in the session takes over the lock and the
      // waiting messages.
      if (await this.statOrNothing(this.file(id, RUN_LOCK))) return null;
      const metadata = await this.readMetadata(id);
      if (this.sizes.get(id) === (await this.historySize(id))) return { metadata, entries: null };
      const { entries, repaired, size } = await this.parseHistory(id);
      // A truncated line may still be in the process of being written.
      if (repaired === undefined) this.sizes.set(id, size);
      return { metadata, entries };
    });
  }

  watch(id: string, onChange: () => void): Disposable {
    return this.ports.files.watch?.(this.folder(id), onChange) ?? { dispose: () => undefined };
  }

  remove(id: string): Promise<void> {
    return this.inTurn(id, async () => {
      const { files } = this.ports;
      const lock = this.holds.has(id) ? null : await this.lock(id);
      const busy = `Session ${id} is running. Stop it first, also in other windows.`;
      if (!lock) throw new EngineError('invalid-state', busy);
      // Set now rather than once it is removed, since moving it to the trash may take a while.
      this.removed.add(id);
      try {
        // In the trash, a lock would only get in the way of restoring the session.
        if (files.trash) await lock.release().then(() => files.trash?.(this.folder(id)));
        else {
          // History first: if the rest fails, the conversation is gone and the session is not rebuilt from it.
          await files.remove(this.file(id, HISTORY));
          await files.remove(this.folder(id));
        }
        this.sizes.delete(id);
      } catch (error) {
        this.removed.delete(id);
        throw error;
      } finally {
        await lock.release();
      }
    });
  }

  async copyFile(from: string, to: string, name: string): Promise<void> {
    await this.ports.files.writeFile(this.file(to, name), await readStored(this.file(from, name), this.ports.files));
  }

  async list(): Promise<SessionMetadata[]> {
    const folders = await this.ports.files.readDirectory(this.root).catch((error: unknown) => {
      if (EngineError.is(error, 'not-found')) return [];
      throw error;
    });
    const ids = folders.filter(({ name, kind }) => kind === 'directory' && UUID.test(name));
    const all = await Promise.all(ids.map(({ name }) => this.metadataOrNothing(name)));
    return withoutLoops(all.filter((one) => one !== undefined)).sort((a, b) => b.modifiedAt - a.modifiedAt);
  }

  private async metadataOrNothing(id: string): Promise<SessionMetadata | undefined> {
    try {
      return await this.readMetadata(id);
    } catch {
      return this.rebuilt(id);
    }
  }

  /** The history may be intact: opening the session rebuilds its metadata, or reports why it cannot. */
  private async rebuilt(id: string): Promise<SessionMetadata | undefined> {
    try {
      const { metadata, problems } = await this.open(id);
      for (const problem of problems) this.ports.log.warn(problem);
      return metadata;
    } catch (error) {
      this.ports.log.warn(errorText(error));
      return undefined;
    }
  }

  private async readHistory(id: string) {
    const read = await this.parseHistory(id);
    const asks = read.repaired !== undefined || (await this.statOrNothing(this.file(id, WAITING))) !== undefined;
    const { entries, problems, size } = (asks && (await this.mended(id))) || read;
    this.sizes.set(id, size);
    return { entries, problems: [...problems] };
  }

  /**
   * Repairs the history. Returns undefined while another process runs in the session, since an apparently truncated line is still
   * being written.
   */
  private async mended(id: string) {
    const { files } = this.ports;
    const held = this.holds.get(id);
    const lock = held ?? (await this.lock(id));
    if (!lock) return undefined;
    try {
      await this.takeWaiting(id);
      // Read again, since the history may have grown before the lock was acquired.
      const read = await this.parseHistory(id);
      if (read.repaired === undefined) return read;
      const text = new TextEncoder().encode(read.repaired);
      await files.writeFile(this.file(id, HISTORY), text);
      return { ...read, size: text.length };
    } catch (error) {
      // The readable part is unaffected, and the next entry starts on a new line in any case.
      this.ports.log.warn(`The history of session ${id} could not be repaired: ${errorText(error)}`);
      return undefined;
    } finally {
      if (!held) await lock.release();
    }
  }

  /** Appends the messages sent while another process was running in the session, each exactly once. */
  private async takeWaiting(id: string): Promise<void> {
    const { files } = this.ports;
    const file = this.file(id, WAITING);
    if (!(await this.statOrNothing(file))) return;
    await files.exclusively(this.file(id, 'waiting.lock'), async () => {
      const waiting = parseHistory(new TextDecoder().decode(await readStored(file, files)), file);
      for (const problem of waiting.problems) this.ports.log.warn(problem);
      const known = new Set((await this.parseHistory(id)).entries.map(({ id: known }) => known));
      for (const entry of waiting.entries) {
        if (!known.has(entry.id)) await files.appendLine(this.file(id, HISTORY), JSON.stringify(entry));
      }
      await files.remove(file);
    });
  }

  private async parseHistory(id: string) {
    const file = this.file(id, HISTORY);
    const bytes = await readStored(file, this.ports.files).catch((error: unknown) => {
      if (EngineError.is(error, 'not-found')) return new Uint8Array();
      throw error;
    });
    return { ...parseHistory(new TextDecoder().decode(bytes), file), size: bytes.length };
  }

  /** Returns null while another process or engine holds the lock. Rejects with EngineError `not-found` if the session no longer exists. */
  private async lock(id: string): Promise<FileLock | null> {
    try {
      return await lockHere(this.file(id, RUN_LOCK), this, (path) => this.ports.files.lock(path));
    } catch (error) {
      throw EngineError.is(error, 'not-found') ? this.gone(id) : error;
    }
  }

  private async release(id: string, lock: FileLock): Promise<void> {
    if (this.holds.get(id) === lock) this.holds.delete(id);
    try {
      if (!this.removed.has(id)) this.sizes.set(id, await this.historySize(id));
    } finally {
      await lock.release();
    }
  }

  /** Only the holder of the session may append to it, so the lock is acquired temporarily if necessary. */
  private async whileHeld(id: string, work: () => Promise<void>): Promise<void> {
    const held = this.holds.get(id);
    const lock = held ?? (await this.lock(id));
    const busy = `Session ${id} is running in another window. Try again when it has ended.`;
    if (!lock) throw new EngineError('invalid-state', busy);
    try {
      if (!lock.isHeld()) throw this.taken(id);
      await work();
    } finally {
      if (!held) await lock.release();
    }
  }

  private async historySize(id: string): Promise<number> {
    return (await this.statOrNothing(this.file(id, HISTORY)))?.size ?? 0;
  }

  private async statOrNothing(file: string): Promise<FileStat | undefined> {
    try {
      return await this.ports.files.stat(file);
    } catch (error) {
      if (EngineError.is(error, 'not-found')) return undefined;
      throw error;
    }
  }

  private async readMetadata(id: string): Promise<SessionMetadata> {
    const file = this.file(id, METADATA);
    const text = new TextDecoder().decode(await readStored(file, this.ports.files));
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new EngineError('damaged', `${file} is not JSON: ${errorText(error)}`);
    }
    const parsed = sessionMetadataSchema.safeParse(value);
    if (!parsed.success)
      throw new EngineError('damaged', `${file} does not describe a session: ${parsed.error.message}`);
    // A copied folder still has the id of the original.
    return { ...parsed.data, id };
  }

  /** Keeps the unreadable file next to the rebuilt one. */
  private async rebuild(id: string, entries: readonly SessionEntry[], problems: string[]): Promise<SessionMetadata> {
    const { files, clock } = this.ports;
    const metadata = rebuildMetadata(id, entries, clock.now());
    try {
      const old = await readStored(this.file(id, METADATA), files).catch(() => undefined);
      if (old) await files.writeFile(this.file(id, 'metadata.damaged.json'), old);
      await this.writeMetadata(metadata);
    } catch (error) {
      // It is rebuilt again the next time.
      problems.push(errorText(error));
    }
    return metadata;
  }

  /** Validates first: a program may pass anything, and a session that cannot be read again would be lost. */
  private async writeMetadata(metadata: SessionMetadata): Promise<void> {
    const { error } = sessionMetadataSchema.safeParse(metadata);
    if (error) {
      throw new EngineError(
        'invalid-input',
        `The metadata of session ${metadata.id} is not valid and was not saved: ${z.misfit(error)}.`,
      );
    }
    const text = `${JSON.stringify(this.struck(metadata), null, 2)}\n`;
    await this.ports.files.writeFile(this.file(metadata.id, METADATA), new TextEncoder().encode(text));
  }

  private struck(metadata: SessionMetadata): SessionMetadata {
    return this.strike ? struckMetadata(metadata, this.strike) : metadata;
  }

  private notFound(id: string, cause: unknown): EngineError {
    return new EngineError('not-found', `There is no session ${id} in ${this.root}.`, { cause });
  }

  private taken(id: string): EngineError {
    const how = 'was taken over by another window, or its folder was removed';
    return new EngineError(
      'invalid-state',
      `Session ${id} ${how}. Nothing more is added to it here; open it again to continue.`,
    );
  }

  private gone(id: string): EngineError {
    return new EngineError('not-found', `Session ${id} was deleted. Start a new one.`);
  }

  private file(id: string, name: string): string {
    return this.ports.paths.resolve(this.folder(id), name);
  }

  /** Serializes work per session; a failure does not prevent the next task. */
  private inTurn<T>(id: string, work: () => Promise<T>): Promise<T> {
    const before = this.queues.get(id) ?? Promise.resolve();
    const turn = () => (this.removed.has(id) ? Promise.reject(this.gone(id)) : work());
    const result = before.then(turn, turn);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.queues.set(id, settled);
    void settled.then(() => this.queues.get(id) === settled && this.queues.delete(id));
    return result;
  }
}
