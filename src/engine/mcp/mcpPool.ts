import { AbortError, isAbort, NOT_NEEDED, untilAborted } from '../../base/abort';
import { errorText } from '../../base/errorText';
import { EngineError } from '../engineError';
import type { Clock, Log } from '../ports';
import type { McpConnector, McpLink } from './mcpConnector';
import type { McpLaunch } from './mcpServer';

/** For a server to be ready; those that npm fetches first take their time. */
const START_MS = 60_000;
/** A server that nobody calls for so long is ended. */
const IDLE_MS = 10 * 60_000;
/** More are started only when one that nobody uses can be ended. */
const MAX_CONNECTIONS = 24;
/** How long a server that did not start is left alone, the first time and at most; doubled in between. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;

export interface PoolParts {
  connector: McpConnector;
  clock: Clock;
  log: Log;
}

/** A server that is to be used. */
export interface Wanted {
  /** Of its launch as it is written. */
  key: string;
  /** For people. */
  id: string;
  /** The launch as it is carried out; asked when the server has to be started. */
  fill(): Promise<McpLaunch>;
  onListsChanged(): void;
}

interface Connection {
  readonly id: string;
  readonly link: Promise<McpLink>;
  readonly abort: AbortController;
  users: number;
  idleSince: number;
  idle: AbortController | undefined;
}

interface Failure {
  /** `denied`: the person has to sign in. */
  reason: 'denied' | 'io';
  why: string;
  pauseMs: number;
  until: number;
}

/** `starting` and `ready` have a process or a connection; `failed` says why there is none. */
export type ServerState =
  { kind: 'stopped' | 'starting' | 'ready' } | { kind: 'failed'; why: string; wantsSignIn: boolean };

/**
 * The servers that are running, shared by all who want the same launch: started with the first use, ended when nobody used
 * them for a while, and all of them when the pool is disposed.
 */
export class McpPool {
  private readonly connections = new Map<string, Connection>();
  private readonly ready = new Set<string>();
  private readonly failures = new Map<string, Failure>();
  private readonly ending = new Set<Promise<void>>();
  private isDisposed = false;

  constructor(private readonly parts: PoolParts) {}

  /**
   * Does something with a server that is ready. Rejects with EngineError `io` when it does not start, or did not a moment ago;
   * with AbortError, also while another who waits for it goes on; and as `work` does.
   */
  async use<T>(wanted: Wanted, work: (link: McpLink) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw new AbortError();
    const connection = this.connections.get(wanted.key) ?? this.start(wanted);
    connection.users++;
    connection.idle?.abort(NOT_NEEDED);
    try {
      return await work(await untilAborted(connection.link, signal));
    } finally {
      connection.users--;
      if (connection.users === 0) this.rest(wanted.key, connection);
    }
  }

  stateOf(key: string): ServerState {
    if (this.connections.has(key)) return { kind: this.ready.has(key) ? 'ready' : 'starting' };
    const failure = this.failures.get(key);
    if (!failure) return { kind: 'stopped' };
    return { kind: 'failed', why: failure.why, wantsSignIn: failure.reason === 'denied' };
  }

  /** Ends a server, whoever uses it; the next use starts it again, also where it failed a moment ago. */
  async stop(key: string): Promise<void> {
    this.failures.delete(key);
    const connection = this.connections.get(key);
    if (connection) await this.end(key, connection);
  }

  /** Ends all of them; resolves when they are gone. */
  async dispose(): Promise<void> {
    this.isDisposed = true;
    for (const [key, connection] of this.connections) void this.end(key, connection);
    await Promise.all(this.ending);
  }

  private start(wanted: Wanted): Connection {
    const { key, id } = wanted;
    if (this.isDisposed) throw new AbortError();
    const { clock } = this.parts;
    const failure = this.failures.get(key);
    if (failure && clock.now() < failure.until) {
      const seconds = Math.ceil((failure.until - clock.now()) / 1000);
      // Only signing in helps, which forgets the failure.
      if (failure.reason === 'denied') throw new EngineError('denied', failure.why);
      throw new EngineError('io', `${failure.why} It is tried again in ${seconds} s at the earliest.`);
    }
    this.makeRoom();
    const abort = new AbortController();
    const link = this.connect(wanted, abort);
    const connection: Connection = { id, link, abort, users: 0, idleSince: clock.now(), idle: undefined };
    this.connections.set(key, connection);
    link.then(
      () => {
        if (this.connections.get(key) !== connection) return;
        this.failures.delete(key);
        this.ready.add(key);
      },
      (error: unknown) => {
        if (this.connections.get(key) === connection) this.connections.delete(key);
        if (!isAbort(error)) this.failed(key, error);
      },
    );
    return connection;
  }

  private async connect(wanted: Wanted, abort: AbortController): Promise<McpLink> {
    const { key, id } = wanted;
    const launch = await wanted.fill();
    const onEnd = ({ why }: { why: string }) => {
      const connection = this.connections.get(key);
      if (connection?.abort !== abort) return;
      this.forget(key);
      this.parts.log.warn(`The MCP server ${id} is gone. ${why}`);
    };
    try {
      const options = { timeoutMs: START_MS, onEnd, onListsChanged: () => wanted.onListsChanged() };
      return await this.parts.connector.connect(launch, options, abort.signal);
    } catch (error) {
      if (isAbort(error)) throw error;
      const reason = EngineError.is(error, 'denied') ? 'denied' : 'io';
      throw new EngineError(reason, `The MCP server ${id} did not start: ${errorText(error)}`, { cause: error });
    }
  }

  private failed(key: string, error: unknown): void {
    const before = this.failures.get(key)?.pauseMs;
    const pauseMs = before === undefined ? FIRST_PAUSE_MS : Math.min(before * 2, LONGEST_PAUSE_MS);
    const reason = EngineError.is(error, 'denied') ? 'denied' : 'io';
    this.failures.set(key, { reason, why: errorText(error), pauseMs, until: this.parts.clock.now() + pauseMs });
  }

  private rest(key: string, connection: Connection): void {
    if (this.connections.get(key) !== connection || this.isDisposed) return;
    connection.idleSince = this.parts.clock.now();
    const idle = new AbortController();
    connection.idle = idle;
    const whenOver = () => {
      if (this.connections.get(key) === connection && connection.users === 0) void this.end(key, connection);
    };
    this.parts.clock.sleep(IDLE_MS, idle.signal).then(whenOver, () => undefined);
  }

  private makeRoom(): void {
    if (this.connections.size < MAX_CONNECTIONS) return;
    const [oldest] = [...this.connections]
      .filter(([, { users }]) => users === 0)
      .sort(([, one], [, other]) => one.idleSince - other.idleSince);
    if (oldest) {
      void this.end(...oldest);
      return;
    }
    const names = [...this.connections.values()].map(({ id }) => id).join(', ');
    throw new EngineError('io', `${MAX_CONNECTIONS} MCP servers are running already (${names}). Wait for one of them.`);
  }

  private end(key: string, { abort, link }: Connection): Promise<void> {
    this.forget(key);
    const ended = link.then(
      (one) => one.close(),
      () => undefined,
    );
    abort.abort(new AbortError());
    this.ending.add(ended);
    return ended.finally(() => this.ending.delete(ended));
  }

  private forget(key: string): void {
    this.connections.get(key)?.idle?.abort(NOT_NEEDED);
    this.connections.delete(key);
    this.ready.delete(key);
  }
}
