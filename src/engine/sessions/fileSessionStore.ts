import type { Disposable } from '../../base/disposable';
import { errorText } from '../../base/errorText';
import { randomId } from '../../base/randomId';
import { EngineError } from '../engineError';
import type { Clock, FileLock, FileStat, FileSystem, Log, PathStyle } from '../ports';
import { parseHistory } from './parseHistory';
import { NOT_SAID, type SessionEntry, type SessionMetadata, sessionMetadataSchema } from './sessionEntry';
import { rebuildMetadata } from './rebuildMetadata';
import type { NewSession, SessionHold, SessionStore, StoredSession } from './sessionStore';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const RUN_LOCK = 'run.lock';
/** A change of metadata takes a moment; whoever holds its lock longer than this is stuck, and is not waited for. */
const METADATA_TRIES = 200;
const METADATA_WAIT_MS = 10;

export interface SessionStorePorts {
  files: FileSystem;
  paths: PathStyle;
  clock: Clock;
  log: Log;
}

/** `<root>/<uuid>/metadata.json`, written whole and atomically, and `<root>/<uuid>/history.jsonl`, only added to. */
export class FileSessionStore implements SessionStore {
  private readonly queues = new Map<string, Promise<unknown>>();
  private readonly removed = new Set<string>();
  /** Of each session that was read, how long its history was then, or when this process last stopped running in it. */
  private readonly sizes = new Map<string, number>();
  private readonly holds = new Map<string, FileLock>();

  constructor(
    private readonly root: string,
    private readonly ports: SessionStorePorts,
  ) {}

  folder(id: string): string {
    if (!UUID.test(id)) throw new EngineError('invalid-input', `"${id}" is not the id of a session.`);
    return this.ports.paths.resolve(this.root, id);
  }

  async create(session: NewSession): Promise<SessionMetadata> {
    const now = this.ports.clock.now();
    const metadata: SessionMetadata = {
      version: 1,
      id: randomId(),
      title: '',
      opening: '',
      createdAt: now,
      modifiedAt: now,
      ...NOT_SAID,
      ...session,
    };
    await this.writeMetadata(metadata);
    this.sizes.set(metadata.id, 0);
    return metadata;
  }

  open(id: string): Promise<StoredSession> {
    return this.inTurn(id, async () => {
      const { entries, problems } = await this.readHistory(id);
      const metadata = await this.readMetadata(id).catch((error: unknown) => {
        if (entries.length === 0) throw this.notFound(id, error);
        problems.push(`${this.file(id, 'metadata.json')}: ${errorText(error)} It was made again from the history.`);
        return this.rebuild(id, entries);
      });
      return { metadata, entries, problems };
    });
  }

  append(id: string, entry: SessionEntry): Promise<void> {
    return this.inTurn(id, () =>
      this.ports.files.appendFile(this.file(id, 'history.jsonl'), `${JSON.stringify(entry)}\n`),
    );
  }

  changeMetadata(id: string, changes: Partial<Omit<SessionMetadata, 'id' | 'version'>>): Promise<SessionMetadata> {
    return this.inTurn(id, async () => {
      const lock = await this.metadataLock(id);
      try {
        const metadata = { ...(await this.readMetadata(id)), modifiedAt: this.ports.clock.now(), ...changes };
        await this.writeMetadata(metadata);
        return metadata;
      } finally {
        await lock?.release();
      }
    });
  }

  async hold(id: string): Promise<SessionHold | null> {
    const lock = await this.ports.files.lock(this.file(id, RUN_LOCK));
    if (!lock) return null;
    this.holds.set(id, lock);
    const changed = this.sizes.has(id) && this.sizes.get(id) !== (await this.historySize(id));
    return {
      changed,
      release: async () => {
        if (this.holds.get(id) === lock) this.holds.delete(id);
        if (!this.removed.has(id)) this.sizes.set(id, await this.historySize(id));
        await lock.release();
      },
    };
  }

  async heldElsewhere(id: string): Promise<boolean> {
    if (this.holds.has(id)) return false;
    const lock = await this.ports.files.lock(this.file(id, RUN_LOCK));
    await lock?.release();
    return lock === null;
  }

  readAtRest(id: string) {
    return this.inTurn(id, async () => {
      // Also of a process that was killed: who runs in the session next takes over both, lock and words.
      if (await this.exists(this.file(id, RUN_LOCK))) return null;
      const metadata = await this.readMetadata(id);
      if (this.sizes.get(id) === (await this.historySize(id))) return { metadata, entries: null };
      const { entries, repaired, size } = await this.parseHistory(id);
      // A line that is cut off may be on its way.
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
      this.removed.add(id);
      if (files.trash) return files.trash(this.folder(id));
      // The words first: should the rest fail, they are gone, and no session is made again from them.
      await files.remove(this.file(id, 'history.jsonl'));
      await files.remove(this.folder(id));
    });
  }

  async copyFile(from: string, to: string, name: string): Promise<void> {
    await this.ports.files.writeFile(this.file(to, name), await this.ports.files.readFile(this.file(from, name)));
  }

  async list(): Promise<SessionMetadata[]> {
    const folders = await this.ports.files.readDirectory(this.root).catch((error: unknown) => {
      if (EngineError.is(error, 'not-found')) return [];
      throw error;
    });
    const ids = folders.filter(({ name, kind }) => kind === 'directory' && UUID.test(name));
    const all = await Promise.all(ids.map(({ name }) => this.metadataOrNothing(name)));
    return all.filter((one) => one !== undefined).sort((a, b) => b.modifiedAt - a.modifiedAt);
  }

  private async metadataOrNothing(id: string): Promise<SessionMetadata | undefined> {
    try {
      return await this.readMetadata(id);
    } catch {
      return await this.rebuilt(id);
    }
  }

  /** The history may still be whole: opening rebuilds what is missing, or says why it cannot. */
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
    const { entries, problems, repaired } = await this.parseHistory(id);
    if (repaired !== undefined) await this.repair(id, this.file(id, 'history.jsonl'), repaired);
    this.sizes.set(id, await this.historySize(id));
    return { entries, problems };
  }

  private async parseHistory(id: string) {
    const file = this.file(id, 'history.jsonl');
    const bytes = await this.ports.files.readFile(file).catch((error: unknown) => {
      if (EngineError.is(error, 'not-found')) return new Uint8Array();
      throw error;
    });
    return { ...parseHistory(new TextDecoder().decode(bytes), file), size: bytes.length };
  }

  /** Not while another process runs in the session: what looks cut off is still being written. */
  private async repair(id: string, file: string, text: string): Promise<void> {
    const { files } = this.ports;
    const lock = this.holds.has(id) ? undefined : await files.lock(this.file(id, RUN_LOCK));
    if (lock === null) return;
    try {
      await files.writeFile(file, new TextEncoder().encode(text));
    } finally {
      await lock?.release();
    }
  }

  private async historySize(id: string): Promise<number> {
    return (await this.statOrNothing(this.file(id, 'history.jsonl')))?.size ?? 0;
  }

  private async exists(file: string): Promise<boolean> {
    return (await this.statOrNothing(file)) !== undefined;
  }

  private async statOrNothing(file: string): Promise<FileStat | undefined> {
    try {
      return await this.ports.files.stat(file);
    } catch (error) {
      if (EngineError.is(error, 'not-found')) return undefined;
      throw error;
    }
  }

  private async metadataLock(id: string): Promise<FileLock | undefined> {
    // A lock would make the folder of a session that is not there.
    await this.ports.files.stat(this.file(id, 'metadata.json'));
    for (let attempt = 0; attempt < METADATA_TRIES; attempt++) {
      const lock = await this.ports.files.lock(this.file(id, 'metadata.lock'));
      if (lock) return lock;
      await this.ports.clock.sleep(METADATA_WAIT_MS, new AbortController().signal);
    }
    return undefined;
  }

  private async readMetadata(id: string): Promise<SessionMetadata> {
    const file = this.file(id, 'metadata.json');
    const text = new TextDecoder().decode(await this.ports.files.readFile(file));
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      throw new EngineError('damaged', `${file} is not JSON: ${errorText(error)}`);
    }
    const parsed = sessionMetadataSchema.safeParse(value);
    if (!parsed.success)
      throw new EngineError('damaged', `${file} does not describe a session: ${parsed.error.message}`);
    return parsed.data;
  }

  /** What cannot be read is kept beside what is made anew. */
  private async rebuild(id: string, entries: readonly SessionEntry[]): Promise<SessionMetadata> {
    const { files, clock } = this.ports;
    const old = await files.readFile(this.file(id, 'metadata.json')).catch(() => undefined);
    if (old) await files.writeFile(this.file(id, 'metadata.damaged.json'), old);
    const metadata = rebuildMetadata(id, entries, clock.now());
    await this.writeMetadata(metadata);
    return metadata;
  }

  private writeMetadata(metadata: SessionMetadata): Promise<void> {
    const text = `${JSON.stringify(metadata, null, 2)}\n`;
    return this.ports.files.writeFile(this.file(metadata.id, 'metadata.json'), new TextEncoder().encode(text));
  }

  private notFound(id: string, cause: unknown): EngineError {
    return new EngineError('not-found', `There is no session ${id} in ${this.root}.`, { cause });
  }

  private gone(id: string): EngineError {
    return new EngineError('not-found', `Session ${id} was deleted. Start a new one.`);
  }

  private file(id: string, name: string): string {
    return this.ports.paths.resolve(this.folder(id), name);
  }

  /** One after another for each session; a failed turn does not stop the next. */
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
