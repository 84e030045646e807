import { isAbort } from '../../../base/abort';
import { type Disposable, onDispose } from '../../../base/disposable';
import { errorText } from '../../../base/errorText';
import { safeLine } from '../../../base/shown/safeText';
import { EngineError } from '../../engineError';
import type { Clock, FileSystem, Log, PathStyle } from '../../ports';
import type { SecretValues } from '../../secrets/secretPlaceholders';
import { strikeOf } from '../../secrets/strikeOf';
import { digestOf } from '../../tools/files/guard/seenFiles';
import type { McpConnector, McpEra, McpLink } from '../mcpConnector';
import { type McpServer, type RemoteLaunch, startIdentity } from '../mcpServer';
import type { LaunchValues } from './fillLaunch';
import { Eras, type Manifest, Manifests } from './keptByLaunch';
import type { FilledLaunch, McpPool, ServerState } from './mcpPool';
import { type LogFollower, type LogLine, ServerLogs } from './serverLogs';
import { ServerTraffic, type Traffic } from './serverTraffic';

export interface RunningParts {
  /** Absolute folder of what is known of servers. */
  configFolder: string;
  ports: { files: FileSystem; paths: PathStyle; clock: Clock; log: Log };
  /** Loaded with the first server that is started. */
  connector: () => Promise<McpConnector>;
  values: LaunchValues;
  /** Tells a person where they sign in to a server: a sentence. */
  howToSignIn: (id: string) => string;
  /** Tells a person how they start one that failed again and again: a sentence. */
  howToStart: (id: string) => string;
}

/** A server that says more often than this that it has other tools is asked again only once somebody used it. */
const MOST_IN_A_ROW = 5;

/** Servers as they are started, used and ended, and what was learnt of each; all by their launch. */
export class RunningServers {
  private readonly manifests: Manifests;
  private readonly eras: Eras;
  private readonly logs: ServerLogs;
  private readonly traffic: ServerTraffic;
  /** By key, the values that a server was last started with. */
  private readonly used = new Map<string, readonly string[]>();
  private readonly listeners = new Set<() => void>();
  /** By key, those that are being asked; true when they have to be asked once more. */
  private readonly learning = new Map<string, boolean>();
  /** By key, how often each was asked again since somebody used it. */
  private readonly askedAgain = new Map<string, number>();
  private readonly keys = new Map<string, string>();
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

  /** Whether it runs, what became of its calls, and what is known of it, also from before. */
  async known(server: McpServer): Promise<{ state: ServerState; traffic: Traffic; manifest: Manifest | undefined }> {
    const key = await this.keyOf(server);
    const state = this.made?.stateOf(key) ?? { kind: 'stopped' };
    return { state, traffic: this.traffic.at(key), manifest: await this.manifests.get(key) };
  }

  /** Told whenever a server may have another state, or is known better. */
  onChange(listener: () => void): Disposable {
    this.listeners.add(listener);
    return onDispose(() => this.listeners.delete(listener));
  }

  /** Strikes out of what a server says the secrets that it was started with. */
  async strikeOf(server: McpServer): Promise<(text: string) => string> {
    return strikeOf(this.used.get(await this.keyOf(server)) ?? []);
  }

  /** What a server did and said since we began. */
  async follow(server: McpServer, follower: LogFollower): Promise<Disposable> {
    return this.logs.follow(await this.keyOf(server), follower);
  }

  /** Calls a tool of it. Rejects as `work` does. */
  async call<T>(server: McpServer, tool: string, work: () => Promise<T>): Promise<T> {
    const key = await this.keyOf(server);
    const shown = safeLine(strikeOf(this.used.get(key) ?? [])(tool), 200, 'exact');
    this.logs.add(key, 'cairn', `Calling ${shown}.`);
    return this.traffic.during(key, shown, work, () => this.changed());
  }

  /** What is known of a server that was asked for before. */
  manifestOf(server: McpServer): Manifest | undefined {
    return this.manifests.at(this.keys.get(startIdentity(server)) ?? '');
  }

  /** Does something with a server, which is started if need be. Rejects with EngineError that says why it cannot, and with AbortError. */
  async use<T>(server: McpServer, work: (link: McpLink) => Promise<T>, signal: AbortSignal): Promise<T> {
    const key = await this.keyOf(server);
    const done = await this.useAt(key, server, work, signal);
    const isOutdated = (this.askedAgain.get(key) ?? 0) > MOST_IN_A_ROW;
    this.askedAgain.delete(key);
    if (isOutdated || this.isStale(key)) void this.learnAgain(server, key);
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
    try {
      return await pool.use(wanted, work, signal);
    } catch (error) {
      if (!EngineError.is(error, 'denied')) throw error;
      throw new EngineError('denied', `${error.message} ${this.parts.howToSignIn(id)}`);
    }
  }

  /** Starts a server, if it is not at work, and learns what it has; gives a sentence for all that is left out. */
  check(server: McpServer, signal: AbortSignal): Promise<readonly string[]> {
    return this.use(server, (link) => this.learn(server, link, signal), signal);
  }

  /** Learns what a server has that never told it. */
  async learnOnce(server: McpServer, link: McpLink, signal: AbortSignal): Promise<void> {
    if (!this.manifests.at(await this.keyOf(server))) await this.learn(server, link, signal);
  }

  /** Has the next use start it at once, however often it failed. */
  async forgive(server: McpServer): Promise<void> {
    this.made?.forgive(await this.keyOf(server));
  }

  /** Ends a server, whoever uses it; the next call starts it again. */
  async stop(server: McpServer): Promise<void> {
    await this.made?.stop(await this.keyOf(server));
  }

  /** Ends all of them; resolves when they are gone. */
  async dispose(): Promise<void> {
    const pool = await this.pool;
    this.listening?.dispose();
    await pool?.dispose();
    this.listeners.clear();
    this.logs.end();
  }

  /** Where a server is reached. Rejects with EngineError `invalid-input` for one that has no address. */
  async remoteOf(server: McpServer): Promise<RemoteLaunch> {
    const { launch } = await this.fill(server);
    if (launch.type !== 'stdio') return launch;
    throw new EngineError('invalid-input', `The MCP server ${server.id} runs on this machine, so it needs no sign-in.`);
  }

  private async fill(server: McpServer): Promise<FilledLaunch> {
    const used: string[] = [];
    const { values } = this.parts;
    const secrets: SecretValues = {
      async get(name) {
        const value = await values.secrets.get(name);
        if (value !== undefined) used.push(value);
        return value;
      },
    };
    const { environment, homeFolder } = values;
    const { fillLaunch } = await import('./fillLaunch');
    const launch = await fillLaunch(server, { secrets, environment, homeFolder });
    this.used.set(await this.keyOf(server), used);
    return { launch, secrets: used };
  }

  private async learn(server: McpServer, link: McpLink, signal: AbortSignal): Promise<readonly string[]> {
    const { learnServer } = await import('./learnServer');
    const { manifest, problems } = await learnServer(link, this.parts.ports.clock, signal);
    await this.manifests.keep(await this.keyOf(server), manifest).catch((error: unknown) => {
      this.parts.ports.log.warn(`The manifest of the MCP server ${server.id} could not be saved: ${errorText(error)}`);
    });
    this.changed();
    return problems;
  }

  private changed(): void {
    for (const one of this.listeners) one();
  }

  /** Of a server that is running; who asks for its tools from now on gets the new ones. */
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

  /** A server that changes whenever it is asked would be asked for ever, and never rest. */
  private mayAskAgain(key: string): boolean {
    const times = (this.askedAgain.get(key) ?? 0) + 1;
    this.askedAgain.set(key, times);
    if (times === MOST_IN_A_ROW + 1)
      this.logs.add(key, 'cairn', 'It keeps announcing new tools. It is asked again after its next call.');
    return times <= MOST_IN_A_ROW;
  }

  /** What is known of it is older than it said that it holds. */
  private isStale(key: string): boolean {
    const manifest = this.manifests.at(key);
    return manifest !== undefined && this.parts.ports.clock.now() >= (manifest.freshUntil ?? 0);
  }

  private async keepEra({ id }: McpServer, key: string, era: McpEra | undefined): Promise<void> {
    try {
      await (era ? this.eras.keep(key, era) : this.eras.forget(key));
    } catch (error) {
      this.parts.ports.log.warn(`The protocol of the MCP server ${id} could not be saved: ${errorText(error)}`);
    }
  }

  private async keyOf(server: McpServer): Promise<string> {
    const identity = startIdentity(server);
    const key = this.keys.get(identity) ?? (await digestOf(this.parts.ports.files, identity));
    this.keys.set(identity, key);
    return key;
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
