import { EngineError } from '../../engineError';
import type { FileSystem, PathStyle } from '../../ports';
import { type EntryOf, type GraphEntry, graphEntrySchema } from './graphEntry';

/** Where the records of runs of graphs lie: in the folder of their session. */
const FOLDER = 'graphs';
const ENDING = '.jsonl';

export interface GraphRecordPorts {
  files: FileSystem;
  paths: PathStyle;
  /** Takes known secrets out of a text. */
  strike?: (text: string) => string;
}

/** A record as it was read, whole or as far as it can be. */
export interface GraphRecord {
  readonly begun: EntryOf<'begun'>;
  /** What came after, in order. */
  readonly entries: readonly GraphEntry[];
}

/** What may be asked of a run by others than those who carry it out. `pause`: after the step at hand. */
export type GraphRequest = 'stop' | 'pause';

/** The records of the graphs that ran in a session. */
export class GraphRecords {
  constructor(
    /** Absolute; of the session. */
    private readonly sessionFolder: string,
    private readonly ports: GraphRecordPorts,
  ) {}

  /** The lines are on the disk when it resolves. */
  async add(id: string, entry: GraphEntry): Promise<void> {
    const { files, strike = (text: string) => text } = this.ports;
    if (entry.type === 'begun') await files.makeDirectory(this.folder);
    await files.appendLine(this.path(id), JSON.stringify(strikeInside(entry, strike)));
  }

  /** Ids, the newest first. */
  async list(): Promise<string[]> {
    const { files } = this.ports;
    if (!(await files.find(this.folder))) return [];
    const found = (await files.readDirectory(this.folder)).filter(({ name }) => name.endsWith(ENDING));
    return found
      .map(({ name }) => name.slice(0, -ENDING.length))
      .sort()
      .reverse();
  }

  /** Rejects with EngineError `not-found` and `damaged`. A line that was cut off, or that is of a later version, is passed over. */
  async read(id: string): Promise<GraphRecord> {
    const path = this.path(id);
    if (!/^[\w-]+$/.test(id) || !(await this.ports.files.find(path))) {
      throw new EngineError('not-found', `This session has no graph run “${id}”.`);
    }
    const lines = new TextDecoder().decode(await this.ports.files.readFile(path)).split('\n');
    const [begun, ...entries] = lines.flatMap((line) => entryIn(line) ?? []);
    if (begun?.type !== 'begun') {
      throw new EngineError('damaged', `${path} is not the record of a graph run, so it cannot be read.`);
    }
    return { begun, entries };
  }

  /** Asks whoever carries out a run to stop or pause it. */
  async request(id: string, what: GraphRequest): Promise<void> {
    await this.ports.files.writeFile(this.requestPath(id), new TextEncoder().encode(what));
  }

  /** What was asked of a run; it is asked once. */
  async takeRequest(id: string): Promise<GraphRequest | undefined> {
    const { files } = this.ports;
    const path = this.requestPath(id);
    if (!(await files.find(path))) return undefined;
    const text = new TextDecoder().decode(await files.readFile(path));
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
    // Only the last line of a run that was killed is cut off, and what it would have said is done again.
    return undefined;
  }
}

/** Every text in it without what `strike` takes out. */
function strikeInside(value: unknown, strike: (text: string) => string): unknown {
  if (typeof value === 'string') return strike(value);
  if (Array.isArray(value)) return value.map((one) => strikeInside(one, strike));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, strikeInside(one, strike)]));
}
