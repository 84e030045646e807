import { EngineError } from '../../engineError';
import type { FileSystem, PathStyle } from '../../ports';
import { readStored } from '../../sessions/readStored';
import { type EntryOf, type GraphEntry, graphEntrySchema } from './graphEntry';

/** Subfolder of the session folder with the records of graph runs. */
const FOLDER = 'graphs';
const ENDING = '.jsonl';

export interface GraphRecordPorts {
  files: FileSystem;
  paths: PathStyle;
  /** Redacts known secrets in a text. */
  strike?: (text: string) => string;
}

/** A record, as far as it could be read. */
export interface GraphRecord {
  readonly begun: EntryOf<'begun'>;
  /** The following entries, in order. */
  readonly entries: readonly GraphEntry[];
}

/** A request of another process to a run. `pause`: after the current step. */
export type GraphRequest = 'stop' | 'pause';

/** The records of the graphs that ran in a session. */
export class GraphRecords {
  constructor(
    /** Absolute path of the session folder. */
    private readonly sessionFolder: string,
    private readonly ports: GraphRecordPorts,
  ) {}

  /** Appends an entry; resolves once it is on disk. */
  async add(id: string, entry: GraphEntry): Promise<void> {
    const { files, strike = (text: string) => text } = this.ports;
    if (entry.type === 'begun') await files.makeDirectory(this.folder);
    await files.appendLine(this.path(id), JSON.stringify(struckEntry(entry, strike)));
  }

  /** Returns the ids of the runs, newest first. */
  async list(): Promise<string[]> {
    const { files } = this.ports;
    if (!(await files.find(this.folder))) return [];
    const found = (await files.readDirectory(this.folder)).filter(({ name }) => name.endsWith(ENDING));
    return found
      .map(({ name }) => name.slice(0, -ENDING.length))
      .sort()
      .reverse();
  }

  /** Reads a record. Skips truncated lines and those of a later version. Rejects with EngineError `not-found` and `damaged`. */
  async read(id: string): Promise<GraphRecord> {
    const path = this.path(id);
    if (!/^[\w-]+$/.test(id) || !(await this.ports.files.find(path))) {
      throw new EngineError('not-found', `This session has no graph run “${id}”.`);
    }
    const lines = new TextDecoder().decode(await readStored(path, this.ports.files)).split('\n');
    const [begun, ...entries] = lines.flatMap((line) => entryIn(line) ?? []);
    if (begun?.type !== 'begun') {
      throw new EngineError('damaged', `${path} is not the record of a graph run, so it cannot be read.`);
    }
    return { begun, entries };
  }

  /** Asks the process that carries out a run to stop or pause it. */
  async request(id: string, what: GraphRequest): Promise<void> {
    await this.ports.files.writeFile(this.requestPath(id), new TextEncoder().encode(what));
  }

  /** Returns and removes the request for a run, if there is one. */
  async takeRequest(id: string): Promise<GraphRequest | undefined> {
    const { files } = this.ports;
    const path = this.requestPath(id);
    if (!(await files.find(path))) return undefined;
    const text = new TextDecoder().decode(await readStored(path, files));
    await files.remove(path);
    return text === 'pause' ? 'pause' : 'stop';
  }

  private requestPath(id: string): string {
    return this.ports.paths.resolve(this.folder, `${id}.request`);
  }

  private get folder(): string {
    return this.ports.paths.resolve(this.sessionFolder, FOLDER);
  }

  private path(id: string): string {
    return this.ports.paths.resolve(this.folder, `${id}${ENDING}`);
  }
}

function entryIn(line: string): GraphEntry | undefined {
  if (line.trim() === '') return undefined;
  try {
    return graphEntrySchema.parse(JSON.parse(line));
  } catch {
    // Only the last line of a run that was killed is truncated, and its work is repeated.
    return undefined;
  }
}

/** Redacts every text in an entry with `strike`, also in the keys of its values: scripts and models choose those too. */
function struckEntry(entry: GraphEntry, strike: (text: string) => string): object {
  return Object.fromEntries(Object.entries(entry).map(([field, value]) => [field, strikeInside(value, strike)]));
}

function strikeInside(value: unknown, strike: (text: string) => string): unknown {
  if (typeof value === 'string') return strike(value);
  if (Array.isArray(value)) return value.map((one) => strikeInside(one, strike));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [strike(key), strikeInside(one, strike)]));
}
