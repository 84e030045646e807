import * as z from '../../../base/zod';
import { EngineError } from '../../engineError';
import type { FileSystem, PathStyle } from '../../ports';
import { readStored } from '../../sessions/parseHistory';
import { jsonObjectSchema, jsonSchema } from '../graph';

const count = z.int().check(z.nonnegative());
const at = { time: z.number(), step: count, node: z.string() };
const used = { tokens: z.number(), costUsd: z.number() };
const call = {
  tool: z.string(),
  title: z.string(),
  status: z.enum(['ok', 'error', 'rejected', 'cancelled']),
  durationMs: z.number(),
};
const item = {
  index: count,
  value: jsonSchema,
  /** Why its branch failed, if a `fallback` handled that. */
  failure: z.exactOptional(z.string()),
  /** The node that produced the value. */
  by: z.exactOptional(z.string()),
};
const done = {
  durationMs: z.number(),
  writes: z.array(z.object({ key: z.string(), value: jsonSchema })),
  targets: z.array(z.string()),
  end: z.exactOptional(z.string()),
  output: z.exactOptional(jsonSchema),
  sessionId: z.exactOptional(z.string()),
  /** Why it failed, if a `fallback` handled that. */
  failure: z.exactOptional(z.string()),
};

/**
 * An entry in the record of a graph run. The record is append-only and the only source of a run's state. Times are milliseconds
 * since the epoch. Built when a record is read.
 */
const graphEntrySchema = z.lazy(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('begun'),
      version: z.literal(1),
      id: z.string(),
      time: z.number(),
      agent: z.string(),
      /** Absolute path of the graph file. */
      path: z.string(),
      /** The full text of the file at that time. */
      graph: z.string(),
      prompt: z.string(),
      /** The run that this one continues from an earlier step, possibly with a state edited by the user. */
      from: z.exactOptional(z.object({ id: z.string(), step: count })),
    }),
    /** The state after an edit by the user, which does not follow from what was written. */
    z.object({ type: z.literal('edited'), time: z.number(), step: count, state: jsonObjectSchema }),
    /** The run resumes after it was stopped. */
    z.object({ type: z.literal('resumed'), time: z.number() }),
    z.object({ type: z.literal('node-started'), ...at }),
    /** An agent starts to work on the node, or on an item of its map, in its own session. */
    z.object({ type: z.literal('agent-begun'), ...at, sessionId: z.string(), index: z.exactOptional(count) }),
    /** Usage of a node or item that is not finished; the entry of its end has the total. */
    z.object({ type: z.literal('used'), ...at, ...used, index: z.exactOptional(count) }),
    /** An agent that works on the node, or on an item, called a tool. */
    z.object({ type: z.literal('called'), ...at, ...call, index: z.exactOptional(count) }),
    z.object({ type: z.literal('asked'), ...at }),
    z.object({ type: z.literal('answered'), ...at }),
    /** `index`: the item of a map. */
    z.object({ type: z.literal('retried'), ...at, attempt: count, message: z.string(), index: z.exactOptional(count) }),
    /** `branch`: the node that a map runs for the item, which is its branch or a fallback; `of`: the number of items. */
    z.object({ type: z.literal('item-begun'), ...at, index: count, of: count, branch: z.string() }),
    z.object({ type: z.literal('item-done'), ...at, ...item, ...used }),
    /** The map fails with this error. */
    z.object({ type: z.literal('item-failed'), ...at, index: count, message: z.string() }),
    z.object({ type: z.literal('node-done'), ...at, ...done, ...used }),
    z.object({ type: z.literal('node-failed'), ...at, durationMs: z.number(), message: z.string() }),
    z.object({ type: z.literal('step-done'), time: z.number(), step: count, next: z.array(z.string()) }),
    z.object({
      type: z.literal('ended'),
      time: z.number(),
      how: z.enum(['completed', 'rejected', 'failed', 'stopped', 'paused']),
      answer: z.exactOptional(z.string()),
      message: z.exactOptional(z.string()),
    }),
  ]),
);
export type GraphEntry = z.infer<typeof graphEntrySchema>;
export type EntryOf<T extends GraphEntry['type']> = Extract<GraphEntry, { type: T }>;

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
    const { files } = this.ports;
    if (entry.type === 'begun') await files.makeDirectory(this.folder);
    await files.appendLine(this.path(id), this.lineOf(entry));
  }

  /** Writes a new record with these entries, all or none of them. */
  async create(id: string, entries: readonly GraphEntry[]): Promise<void> {
    const lines = entries.map((entry) => `${this.lineOf(entry)}\n`);
    await this.ports.files.writeFile(this.path(id), new TextEncoder().encode(lines.join('')));
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

  private lineOf(entry: GraphEntry): string {
    const { strike = (text: string) => text } = this.ports;
    return JSON.stringify(struckEntry(entry, strike));
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
