import { AbortError, isAbort, NOT_NEEDED, untilAborted } from '../../../base/abort';
import { errorText } from '../../../base/errors';
import { EngineError } from '../../engineError';
import type { Clock, Log } from '../../ports';
import { type McpConnector, type McpEra, type McpLink, SessionOverError } from '../mcpConnector';
import { launchIdentity, type McpLaunch } from '../mcpServer';
import { ServerTroubles, type Troubled, withServerName } from './serverTroubles';

/** A server that ran this long before it ended counts as healthy. */
const RAN_WELL_MS = 5 * 60_000;
/** Time limit for a server to become ready. Those that npm has to download first are slow. */
const START_MS = 60_000;
/** A server is stopped after this long without a call. */
const IDLE_MS = 10 * 60_000;
/** Beyond this, another server is started only if an unused one can be stopped. */
const MAX_CONNECTIONS = 24;
/** After this long without a call, a server is checked for being alive before the next one. */
const UNSEEN_MS = 30_000;
/** Time limit for that check. */
const ALIVE_MS = 5000;
/** Time limit after an abandoned call, which may still keep the server busy. */
const BUSY_MS = 60_000;

interface PoolParts {
  connector: McpConnector;
  clock: Clock;
  log: Log;
}

/** A server to use. `key` identifies its launch as written. */
export interface Wanted extends Troubled {
  /** The server's ID, for display. */
  id: string;
  /** Resolves the launch. Called when the server has to be started. */
  fill(): Promise<FilledLaunch>;
  /** Which protocol it speaks, if known. */
  era(): Promise<McpEra | undefined>;
  /** Called with the era once it is ready, and with undefined when what was known of it may be wrong. Never rejects. */
  onEra(era: McpEra | undefined): Promise<void>;
  onListsChanged(): void;
  /** Called with each line of its log. */
  onSaid(from: 'cairn' | 'stderr' | 'server', line: string): void;
  /** Called when its state has changed. */
  onState(): void;
}

export interface FilledLaunch {
  launch: McpLaunch;
  /** Values within the launch that must not be shown to anyone. */
  secrets: readonly string[];
}

interface Connection {
  readonly wanted: Wanted;
  readonly link: Promise<McpLink>;
  readonly abort: AbortController;
  readyAt: number;
  users: number;
  idleSince: number;
  idle: AbortController | undefined;
  /** A call has failed or been abandoned since the server last answered. */
  isDoubted: boolean;
  /** Set while the server is being checked for being alive. */
  check: Promise<boolean> | undefined;
  hasServed: boolean;
  /** What happens to the server next, once it has ended without being stopped. */
  next: string | undefined;
  /** It is closed once its current users are done. */
  isDraining: boolean;
}

/** In the states `starting` and `ready` there is a process or a connection; `why` says why it failed. */
export type ServerState =
  | { kind: 'stopped' | 'starting' | 'ready' }
  | { kind: 'failed'; why: string; wantsSignIn: boolean; isGivenUp: boolean };

/**
 * The pool of running servers, shared by all users of the same launch. A server is started on first use, stopped when it has been
 * idle for a while, and stopped with the pool. One that ends by itself is restarted by the next use, with growing delays when it
 * happens repeatedly.
 */
export class McpPool {
  private readonly connections = new Map<string, Connection>();
  private readonly ready = new Set<string>();
  private readonly troubles: ServerTroubles;
  private readonly ending = new Map<Connection, Promise<void>>();
  /** Connections being drained, which are no longer in `connections`. */
  private readonly draining = new Set<Connection>();
  /** The resolved launch each server was last started with. */
  private readonly launched = new Map<string, { wanted: Wanted; identity: string }>();
  private isDisposed = false;

  constructor(private readonly parts: PoolParts) {
    this.troubles = new ServerTroubles(parts.clock);
  }

  /**
   * Runs `work` with a server that is ready. Rejects with EngineError `io` if the server does not start or has just failed to;
   * with AbortError, even while others still wait for the same server; and as `work` does.
   */
  async use<T>(wanted: Wanted, work: (link: McpLink) => Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await this.useOnce(wanted, work, signal);
    } catch (error) {
      if (!(error instanceof SessionOverError)) throw error;
      // The request was not carried out, so it is safe to retry it once.
      return this.useOnce(wanted, work, signal);
    }
  }

  private async useOnce<T>(wanted: Wanted, work: (link: McpLink) => Promise<T>, signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw new AbortError();
    const connection = await this.take(wanted, signal);
    try {
      const done = await work(await untilAborted(connection.link, signal));
      connection.isDoubted = false;
      connection.hasServed = true;
      return done;
    } catch (error) {
      if (error instanceof SessionOverError && this.isCurrent(connection)) this.renew(connection);
      connection.isDoubted = true;
      // A different server may be at the address by now.
      if (EngineError.is(error)) void wanted.onEra(undefined);
      throw this.withNext(withServerName(error, wanted.id), connection);
    } finally {
      connection.users--;
      if (connection.users === 0) this.rest(connection);
      if (connection.users === 0 && connection.isDraining) void this.close(connection);
    }
  }

  stateOf(key: string): ServerState {
    if (this.connections.has(key)) return { kind: this.ready.has(key) ? 'ready' : 'starting' };
    const trouble = this.troubles.of(key);
    return trouble ? { kind: 'failed', ...trouble } : { kind: 'stopped' };
  }

  /** Lets the next use start a server at once, however often it failed. */
  forgive(key: string): void {
    if (!this.connections.has(key)) this.troubles.forget(key);
  }

  /** Stops a server, whoever uses it. The next use starts it again, even if it has just failed. */
  async stop(key: string): Promise<void> {
    this.troubles.forget(key);
    const old = [...this.draining].filter(({ wanted }) => wanted.key === key);
    const connection = this.connections.get(key);
    await Promise.all([...old.map((one) => this.close(one)), connection && this.end(connection)]);
  }

  /**
   * Restarts each server whose resolved launch has changed: calls in progress finish, and the next one starts it anew, however
   * often it failed. Resolves to the keys of these servers. Never rejects.
   */
  async refill(): Promise<ReadonlySet<string>> {
    const changed = new Set<string>();
    await Promise.all(
      [...this.launched].map(async ([key, before]) => {
        // If a launch can no longer be resolved, the next call reports it.
        const now = await before.wanted.fill().catch(() => undefined);
        if (this.launched.get(key) !== before || (now && launchIdentity(now.launch) === before.identity)) return;
        this.launched.delete(key);
        this.troubles.forget(key);
        changed.add(key);
        const connection = this.connections.get(key);
        if (connection) this.drain(connection);
      }),
    );
    return changed;
  }

  /** Stops all servers. Resolves once they are gone. */
  async dispose(): Promise<void> {
    this.isDisposed = true;
    for (const connection of this.draining) void this.close(connection);
    for (const connection of this.connections.values()) void this.end(connection);
    await Promise.all(this.ending.values());
  }

  /** Returns the existing connection if its server still answers, and a new one otherwise, with its user count incremented. */
  private async take(wanted: Wanted, signal: AbortSignal): Promise<Connection> {
    const held = this.connections.get(wanted.key);
    if (held && this.isUncertain(held)) {
      held.check ??= this.isAlive(held).finally(() => (held.check = undefined));
      const isAlive = await untilAborted(held.check, signal);
      if (!isAlive && this.isCurrent(held)) {
        this.lost(held, 'It no longer answered.');
        void this.close(held);
      }
    }
    const connection = this.connections.get(wanted.key) ?? this.start(wanted);
    connection.users++;
    connection.idle?.abort(NOT_NEEDED);
    return connection;
  }

  /** Whether an idle server has been silent for too long. While it serves a call, silence may only mean that it is busy. */
  private isUncertain({ wanted, users, isDoubted, idleSince }: Connection): boolean {
    if (!this.ready.has(wanted.key) || users > 0) return false;
    return isDoubted || this.parts.clock.now() - idleSince >= UNSEEN_MS;
  }

  private async isAlive({ link, abort, isDoubted, wanted }: Connection): Promise<boolean> {
    const late = new AbortController();
    const over = AbortSignal.any([abort.signal, late.signal]);
    const wait = (ms: number) => this.parts.clock.sleep(ms, over).catch(() => undefined);
    void wait(ALIVE_MS)
      .then(() => {
        if (!isDoubted || over.aborted) return undefined;
        wanted.onSaid('cairn', 'It does not respond. It may still be busy with an abandoned call.');
        return wait(BUSY_MS - ALIVE_MS);
      })
      .then(() => late.abort(NOT_NEEDED));
    const isThere = await (await link).isAlive(over);
    late.abort(NOT_NEEDED);
    return isThere;
  }

  private isCurrent(connection: Connection): boolean {
    return this.connections.get(connection.wanted.key) === connection;
  }

  private start(wanted: Wanted): Connection {
    const { key } = wanted;
    if (this.isDisposed) throw new AbortError();
    const refusal = this.troubles.refusal(wanted);
    if (refusal) throw refusal;
    this.makeRoom();
    const { clock } = this.parts;
    const abort = new AbortController();
    const connection: Connection = {
      wanted,
      abort,
      link: this.connect(wanted, abort),
      readyAt: clock.now(),
      users: 0,
      idleSince: clock.now(),
      idle: undefined,
      isDoubted: false,
      hasServed: false,
      check: undefined,
      next: undefined,
      isDraining: false,
    };
    this.connections.set(key, connection);
    connection.link.then(
      () => {
        if (!this.isCurrent(connection)) return;
        connection.readyAt = clock.now();
        this.troubles.isReady(key);
        this.ready.add(key);
        wanted.onState();
      },
      () => {
        if (this.isCurrent(connection)) this.connections.delete(key);
        wanted.onState();
      },
    );
    wanted.onState();
    return connection;
  }

  private async connect(wanted: Wanted, abort: AbortController): Promise<McpLink> {
    const [{ launch, secrets }, era] = await Promise.all([this.filled(wanted), wanted.era()]);
    // The previous process may hold what the new one needs, such as a port or a lock.
    await Promise.all([...this.ending].filter(([one]) => one.wanted.key === wanted.key).map(([, ended]) => ended));
    if (abort.signal.aborted) throw new AbortError();
    const onEnd = ({ why }: { why: string }) => {
      const connection = this.connections.get(wanted.key);
      if (connection?.abort === abort) this.lost(connection, why);
    };
    try {
      const onListsChanged = () => wanted.onListsChanged();
      const onSaid = (from: 'stderr' | 'server', line: string) => wanted.onSaid(from, line);
      wanted.onSaid('cairn', launch.type === 'stdio' ? 'Starting.' : 'Connecting.');
      const options = { timeoutMs: START_MS, secrets, era, onSaid, onEnd, onListsChanged };
      const link = await this.parts.connector.connect(launch, options, abort.signal);
      if (link.era) await wanted.onEra(link.era);
      wanted.onSaid('cairn', 'Ready.');
      return link;
    } catch (error) {
      if (isAbort(error)) throw error;
      void wanted.onEra(undefined);
      const reason = EngineError.is(error, 'denied') ? 'denied' : 'io';
      const failed = new EngineError(reason, `The MCP server ${wanted.id} did not start: ${errorText(error)}`, {
        cause: error,
      });
      this.troubles.notStarted(wanted, failed);
      wanted.onSaid('cairn', failed.message);
      throw failed;
    }
  }

  private async filled(wanted: Wanted): Promise<FilledLaunch> {
    try {
      const filled = await wanted.fill();
      this.launched.set(wanted.key, { wanted, identity: launchIdentity(filled.launch) });
      return filled;
    } catch (error) {
      if (!isAbort(error)) this.troubles.notFilled(wanted, error);
      throw error;
    }
  }

  /** Handles a server that ended without being stopped. */
  private lost(connection: Connection, story: string): void {
    const { wanted, readyAt, users, hasServed } = connection;
    const why = `The MCP server ${wanted.id} is gone. ${story === '' ? 'The connection was closed.' : story}`;
    this.forget(connection);
    const ranMs = this.parts.clock.now() - readyAt;
    // Some servers end by themselves when they are idle.
    connection.next = this.troubles.ended(wanted, why, ranMs >= RAN_WELL_MS || (users === 0 && hasServed));
    this.parts.log.warn(why);
    // The lines it last wrote are already in the log.
    wanted.onSaid('cairn', why.split('\n', 1).join(''));
    wanted.onState();
  }

  /** Adds what happens next to the error of a caller whose server has ended. */
  private withNext(error: unknown, { next }: Connection): unknown {
    if (next === undefined || !EngineError.is(error, 'io')) return error;
    return new EngineError('io', `${error.message} ${next}`, { cause: error });
  }

  private rest(connection: Connection): void {
    if (!this.isCurrent(connection)) return;
    connection.idleSince = this.parts.clock.now();
    const idle = new AbortController();
    connection.idle = idle;
    const whenOver = () => {
      if (this.isCurrent(connection) && connection.users === 0) void this.end(connection);
    };
    this.parts.clock.sleep(IDLE_MS, idle.signal).then(whenOver, () => undefined);
  }

  private makeRoom(): void {
    if (this.connections.size < MAX_CONNECTIONS) return;
    const [oldest] = [...this.connections.values()]
      .filter(({ users }) => users === 0)
      .sort((one, other) => one.idleSince - other.idleSince);
    if (oldest) {
      void this.end(oldest);
      return;
    }
    const names = [...this.connections.values()].map(({ wanted }) => wanted.id).join(', ');
    throw new EngineError(
      'io',
      `${MAX_CONNECTIONS} MCP servers are already running (${names}). Wait for one of them to finish.`,
    );
  }

  /** Replaces a connection whose session the server no longer knows. */
  private renew(connection: Connection): void {
    this.forget(connection);
    connection.wanted.onSaid('cairn', 'It ended the session. A new one is opened.');
    void this.close(connection);
  }

  private drain(connection: Connection): void {
    const { wanted } = connection;
    this.forget(connection);
    wanted.onSaid('cairn', 'A secret that it uses has changed. The next call starts it again.');
    wanted.onState();
    if (connection.users === 0) {
      void this.close(connection);
      return;
    }
    connection.isDraining = true;
    this.draining.add(connection);
  }

  private end(connection: Connection): Promise<void> {
    this.forget(connection);
    const { wanted } = connection;
    this.troubles.forget(wanted.key);
    wanted.onSaid('cairn', 'Stopped.');
    wanted.onState();
    return this.close(connection);
  }

  private close(connection: Connection): Promise<void> {
    const ended = connection.link.then(
      (one) => one.close(),
      () => undefined,
    );
    connection.abort.abort(new AbortError());
    this.draining.delete(connection);
    this.ending.set(connection, ended);
    return ended.finally(() => this.ending.delete(connection));
  }

  private forget(connection: Connection): void {
    const { key } = connection.wanted;
    connection.idle?.abort(NOT_NEEDED);
    if (!this.isCurrent(connection)) return;
    this.connections.delete(key);
    this.ready.delete(key);
  }
}
