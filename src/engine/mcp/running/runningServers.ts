import { isAbort } from '../../../base/abort';
import { type Disposable, onDispose } from '../../../base/disposable';
import { errorText } from '../../../base/errors';
import { sameJson } from '../../../base/sameJson';
import { safeLine } from '../../../base/shown/safeText';
import { EngineError } from '../../engineError';
import type { Clock, FileSystem, Log, PathStyle } from '../../ports';
import type { SecretValues } from '../../secrets/secretPlaceholders';
import { strikeOf } from '../../secrets/secretScan';
import type { McpConnector, McpEra, McpLink } from '../mcpConnector';
import { type McpServer, type RemoteLaunch, startIdentity } from '../mcpServer';
import type { LaunchValues } from './fillLaunch';
import { Eras, type Manifest, Manifests } from './keptByLaunch';
import { learnServer } from './learnServer';
import type { FilledLaunch, McpPool, ServerState } from './mcpPool';
import { type LogFollower, type LogLine, ServerLogs, ServerTraffic, type Traffic } from './serverLogs';

export interface RunningParts {
  /** Absolute path of Cairn's configuration folder. */
  configFolder: string;
  ports: { files: FileSystem; paths: PathStyle; clock: Clock; log: Log };
  /** Loaded when the first server is started. */
  connector: () => Promise<McpConnector>;
  values: LaunchValues;
  /** Returns a sentence that tells the user where to sign in to a server. */
  howToSignIn: (id: string) => string;
  /** Returns a sentence that tells the user how to start a server that failed repeatedly. */
  howToStart: (id: string) => string;
}

/** After this many list changes in a row, a server is asked again only once it has been used. */
const MOST_IN_A_ROW = 5;

/** Starts, uses, and stops servers, and caches what is learned about each, by launch. */
export class RunningServers {
  private readonly manifests: Manifests;
  private readonly eras: Eras;
  private readonly logs: ServerLogs;
  private readonly traffic: ServerTraffic;
  /** By key, the secrets a server was last started with, by name. */
  private readonly used = new Map<string, ReadonlyMap<string, string>>();
  private readonly listeners = new Set<() => void>();
  /** By key, the servers being queried; true if they must be queried once more. */
  private readonly learning = new Map<string, boolean>();
  /** By key, how often each was queried again since it was last used. */
  private readonly askedAgain = new Map<string, number>();
  /** By key, the pending requests for new secrets. */
  private readonly renewing = new Map<string, Promise<boolean>>();
  private pool: Promise<McpPool> | undefined;
  private made: McpPool | undefined;
  private listening: Disposable | undefined;

  constructor(private readonly parts: RunningParts) {
    const { configFolder, ports } = parts;
    const folder = ports.paths.resolve(configFolder, 'mcp-manifests');
    this.manifests = new Manifests(folder, ports);
    this.eras = new Eras(folder, ports);
    this.logs = new ServerLogs(ports.clock);
    this.traffic = new ServerTraffic(ports.clock);
  }

  /** Returns whether it runs, the outcome of its calls, and what is known of it, including from earlier runs. */
  async known(server: McpServer): Promise<{ state: ServerState; traffic: Traffic; manifest: Manifest | undefined }> {
    const key = startIdentity(server);
    const state = this.made?.stateOf(key) ?? { kind: 'stopped' };
    return { state, traffic: this.traffic.at(key), manifest: await this.manifests.get(server) };
  }

  /** Calls the listener whenever a server's state, or what is known of it, may have changed. */
  onChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return onDispose(() => this.listeners.delete(listener));
  }

  /** Returns a function that removes the secrets a server was started with from its output. */
  async strikeOf(server: McpServer): Promise<(text: string) => string> {
    return strikeOf(this.secretsOf(startIdentity(server)));
  }

  /** Passes on what a server did and said since Cairn started. */
  async follow(server: McpServer, follower: LogFollower): Promise<Disposable> {
    return this.logs.follow(startIdentity(server), follower);
  }

  /** Calls a tool of the server, with logging and statistics. Rejects as `work` does. */
  async call<T>(server: McpServer, tool: string, work: () => Promise<T>): Promise<T> {
    const key = startIdentity(server);
    const shown = safeLine(strikeOf(this.secretsOf(key))(tool), 200, 'exact');
    this.logs.add(key, 'cairn', `Calling ${shown}.`);
    return this.traffic.during(key, shown, work, () => this.changed());
  }

  /** Returns what is known of a server, if it was looked up before. */
  manifestOf(server: McpServer): Manifest | undefined {
    return this.manifests.at(server);
  }

  /** Runs `work` with a server, starting it if needed. Rejects with an EngineError that gives the reason, and with AbortError. */
  async use<T>(server: McpServer, work: (link: McpLink) => Promise<T>, signal: AbortSignal): Promise<T> {
    const key = startIdentity(server);
    const done = await this.useAt(key, server, work, signal);
    const isOutdated = (this.askedAgain.get(key) ?? 0) > MOST_IN_A_ROW;
    this.askedAgain.delete(key);
    if (isOutdated || this.isStale(server)) void this.learnAgain(server, key);
    return done;
  }

  private async useAt<T>(
    key: string,
    server: McpServer,
    work: (link: McpLink) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    const pool = await this.poolOf();
    const id = safeLine(server.id, 100, 'exact');
    const wanted = {
      key,
      id: server.id,
      isProgram: server.launch.type === 'stdio',
      howToStart: this.parts.howToStart(id),
      fill: () => this.fill(server),
      era: () => this.eras.get(key),
      onEra: (era: McpEra | undefined) => this.keepEra(server, key, era),
      onListsChanged: () => void this.learnAgain(server, key),
      onSaid: (from: LogLine['from'], line: string) => this.logs.add(key, from, line),
      onState: () => this.changed(),
    };
    let isStarted = false;
    let used: ReadonlyMap<string, string> | undefined;
    const begin = (link: McpLink) => {
      isStarted = true;
      used = this.used.get(key);
      return work(link);
    };
    try {
      return await pool.use(wanted, begin, signal).catch(async (error: unknown) => {
        // Either way the request was not carried out, so it can be repeated.
        const isRefused = EngineError.is(error, 'denied') || EngineError.is(error, 'no-key') || !isStarted;
        if (isAbort(error) || !isRefused || !(await this.hasNewSecrets(key, pool, used))) throw error;
        return pool.use(wanted, begin, signal);
      });
    } catch (error) {
      if (!EngineError.is(error, 'denied')) throw error;
      throw new EngineError('denied', `${error.message} ${this.parts.howToSignIn(id)}`);
    }
  }

  /**
   * Requests the secrets of a server anew, once for all calls that were refused, and returns whether one has another value than
   * in `used`.
   */
  private async hasNewSecrets(
    key: string,
    pool: McpPool,
    used: ReadonlyMap<string, string> | undefined,
  ): Promise<boolean> {
    // Another call may have requested them while this one was still waiting for its refusal.
    if (used && !sameJson([...used], [...(this.used.get(key) ?? [])])) return true;
    const renewing = this.renewing.get(key) ?? this.renew(key, pool).finally(() => this.renewing.delete(key));
    this.renewing.set(key, renewing);
    return renewing;
  }

  private async renew(key: string, pool: McpPool): Promise<boolean> {
    const { secrets } = this.parts.values;
    const names = [...(this.used.get(key)?.keys() ?? [])];
    if (!secrets.forget || names.length === 0) return false;
    for (const name of names) secrets.forget(name);
    return (await pool.refill()).has(key);
  }

  private secretsOf(key: string): readonly string[] {
    return [...(this.used.get(key)?.values() ?? [])];
  }

  /** Starts a server if it is not running, and learns what it offers. Returns a sentence for each part that is left out. */
  check(server: McpServer, signal: AbortSignal): Promise<readonly string[]> {
    return this.use(server, (link) => this.learn(server, link, signal), signal);
  }

  /** Learns what a server offers, unless that is known. */
  async learnOnce(server: McpServer, link: McpLink, signal: AbortSignal): Promise<void> {
    if (!this.manifests.at(server)) await this.learn(server, link, signal);
  }

  /** Lets the next use start it at once, however often it failed. */
  async forgive(server: McpServer): Promise<void> {
    this.made?.forgive(startIdentity(server));
  }

  /** Stops a server, whoever uses it. The next call starts it again. */
  async stop(server: McpServer): Promise<void> {
    await this.made?.stop(startIdentity(server));
  }

  /** Stops all servers. Resolves once they are gone. */
  async dispose(): Promise<void> {
    const pool = await this.pool;
    this.listening?.dispose();
    await pool?.dispose();
    this.listeners.clear();
    this.logs.end();
  }

  /** Returns where a server is reached. Rejects with EngineError `invalid-input` if it has no address. */
  async remoteOf(server: McpServer): Promise<RemoteLaunch> {
    const { launch } = await this.fill(server);
    if (launch.type !== 'stdio') return launch;
    throw new EngineError('invalid-input', `The MCP server ${server.id} runs on this machine, so it needs no sign-in.`);
  }

  private async fill(server: McpServer): Promise<FilledLaunch> {
    const used = new Map<string, string>();
    const { values } = this.parts;
    const secrets: SecretValues = {
      async get(name) {
        const value = await values.secrets.get(name);
        if (value !== undefined) used.set(name, value);
        return value;
      },
    };
    const { environment, homeFolder } = values;
    const { fillLaunch } = await import('./fillLaunch');
    const launch = await fillLaunch(server, { secrets, environment, homeFolder });
    this.used.set(startIdentity(server), used);
    return { launch, secrets: [...used.values()] };
  }

  private async learn(server: McpServer, link: McpLink, signal: AbortSignal): Promise<readonly string[]> {
    const { manifest, problems } = await learnServer(link, this.parts.ports.clock, signal);
    await this.manifests.keep(server, manifest).catch((error: unknown) => {
      this.parts.ports.log.warn(`The manifest of the MCP server ${server.id} could not be saved: ${errorText(error)}`);
    });
    this.changed();
    return problems;
  }

  private changed(): void {
    for (const one of this.listeners) one();
  }

  /** Updates what is known of a running server, for later requests for its tools. */
  private async learnAgain(server: McpServer, key: string): Promise<void> {
    if (this.made?.stateOf(key).kind !== 'ready') return;
    const isAsked = this.learning.has(key);
    this.learning.set(key, isAsked);
    if (isAsked) return;
    try {
      do {
        this.learning.set(key, false);
        if (!this.mayAskAgain(key)) return;
        const { signal } = new AbortController();
        await this.useAt(key, server, (link) => this.learn(server, link, signal), signal);
      } while (this.learning.get(key));
    } catch (error) {
      if (!isAbort(error)) this.parts.ports.log.warn(`The new tools of ${server.id} are unknown: ${errorText(error)}`);
    } finally {
      this.learning.delete(key);
    }
  }

  /** Limits repetition, since a server that changes its tools whenever it is asked would be asked forever. */
  private mayAskAgain(key: string): boolean {
    const times = (this.askedAgain.get(key) ?? 0) + 1;
    this.askedAgain.set(key, times);
    if (times === MOST_IN_A_ROW + 1)
      this.logs.add(key, 'cairn', 'It keeps announcing new tools. It is asked again after its next call.');
    return times <= MOST_IN_A_ROW;
  }

  /** Whether the manifest has expired. */
  private isStale(server: McpServer): boolean {
    const manifest = this.manifests.at(server);
    return manifest !== undefined && this.parts.ports.clock.now() >= manifest.freshUntil;
  }

  private async keepEra({ id }: McpServer, key: string, era: McpEra | undefined): Promise<void> {
    try {
      await (era ? this.eras.keep(key, era) : this.eras.forget(key));
    } catch (error) {
      this.parts.ports.log.warn(`The protocol of the MCP server ${id} could not be saved: ${errorText(error)}`);
    }
  }

  private poolOf(): Promise<McpPool> {
    this.pool ??= Promise.all([this.parts.connector(), import('./mcpPool')]).then(([connector, { McpPool }]) => {
      const { clock, log } = this.parts.ports;
      const pool = new McpPool({ connector, clock, log });
      this.listening = this.parts.values.onSecretsChange?.(() => void pool.refill());
      return (this.made = pool);
    });
    return this.pool;
  }
}
