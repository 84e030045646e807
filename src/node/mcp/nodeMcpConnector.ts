import type { Client, ConnectOptions, Progress, Transport } from '@modelcontextprotocol/client';
import { version } from '../../../package.json';
import { AbortError, isAbort } from '../../base/abort';
import { errorText } from '../../base/errors';
import { safeLine, safeText } from '../../base/shown/safeText';
import * as z from '../../base/zod';
import {
  type AddressTemplate,
  EngineError,
  type Fetch,
  type McpConnectOptions,
  type McpConnector,
  type McpEra,
  type McpLaunch,
  type McpLink,
  type RemoteLaunch,
  SessionOverError,
  type SignInStore,
} from '../../engine';
import { type Alarm, realAlarm } from '../realAlarm';
import { failure, sentence } from './connectionFailure';
import { ConnectionSecrets } from './connectionSecrets';
import { callWithHeaders } from './declaredHeaders';
import { IncomingMessages } from './incoming/incomingMessages';
import { LimitedLog } from './incoming/limitedLog';
import { screenedFetch } from './incoming/screenedFetch';
import { TOO_MUCH } from './limitedFetch';
import type * as mcpLibrary from './mcpLibrary';
import { OpenCalls } from './openCalls';
import { ServerProcess } from './serverProcess';
import { signInName } from './signIn/keptSignIn';
import type { EditorAddress } from './signIn/returnAddress';
import { ServerTokens, signedInFetch, type WantedRights } from './signIn/serverTokens';

interface McpConnectorOptions {
  /** Servers get the same part of it as commands. */
  env: NodeJS.ProcessEnv;
  /** For servers reached by URL. */
  fetch: Fetch;
  /** Stores the sign-ins to those servers. */
  signIns: SignInStore;
  /** Measures the timeouts of calls. Default: in real time. */
  alarm?: Alarm;
  /** Without it, browsers are redirected only to loopback addresses. */
  editorAddress?: EditorAddress;
}

/** How long a server may take to acknowledge the end of its session. */
const GOODBYE_MS = 2000;

/** Effectively none: `OpenCalls` times calls, because the SDK's timeout would keep running while the user is asked. */
const NEVER_MS = 2 ** 31 - 1;

/** Error code of a server that does not support the requested protocol version. */
const UNSUPPORTED_VERSION = -32_022;

/** A call that needs more pages is rejected. */
const MAX_PAGES = 3;

type Library = typeof mcpLibrary;

/** Connects to servers, as local processes and by URL, using the official SDK's client. */
export function nodeMcpConnector(options: McpConnectorOptions): McpConnector {
  const wanted = new Map<string, WantedRights>();
  const wantedBy = (launch: RemoteLaunch): WantedRights => {
    const name = signInName(launch);
    const rights = wanted.get(name) ?? {};
    wanted.set(name, rights);
    return rights;
  };
  return {
    async connect(launch, connecting, signal) {
      const library = await import('./mcpLibrary');
      const hidden = new ConnectionSecrets(launch, connecting.secrets);
      const signIns = hidden.heardFrom(options.signIns);
      return connect(launch, { ...options, ...connecting, signIns, library, signal, wantedBy, strike: hidden.strike });
    },
    async signIn(launch, page, signal) {
      const { signIns: store, fetch, editorAddress } = options;
      const [library, { signIn }] = await Promise.all([import('./mcpLibrary'), import('./signIn/signIn')]);
      await signIn({ launch, store, fetch, library, page, editorAddress, wanted: wantedBy(launch), signal });
    },
    async signOut(launch) {
      const { signIns } = options;
      const name = signInName(launch);
      return signIns.exclusively(name, async () => {
        if ((await signIns.get(name)) === undefined) return false;
        await signIns.set(name, undefined);
        return true;
      });
    },
  };
}

interface Connecting extends McpConnectorOptions, McpConnectOptions {
  library: Library;
  signal: AbortSignal;
  wantedBy: (launch: RemoteLaunch) => WantedRights;
  /** Redacts values that must not be shown. */
  strike: (text: string) => string;
}

/**
 * Connects to a server. Started servers are assumed to use the older protocol, as nearly all do: probing would start them twice,
 * so the newer one is tried only after they reject the older. Servers with a URL are probed, except for the transport that only
 * the older protocol has.
 */
async function connect(launch: McpLaunch, parts: Connecting): Promise<McpLink> {
  const { type } = launch;
  if (type === 'sse') return connectBy('legacy', launch, parts);
  if (type === 'http' || parts.era?.kind === 'modern') return connectBy('auto', launch, parts);
  try {
    return await connectBy('legacy', launch, parts);
  } catch (error) {
    if (!(error instanceof EngineError) || !speaksNewer(error.cause, parts.library)) throw error;
    return connectBy('auto', launch, parts);
  }
}

function speaksNewer(error: unknown, { ProtocolError }: Library): boolean {
  return error instanceof ProtocolError && error.code === UNSUPPORTED_VERSION;
}

async function connectBy(mode: 'legacy' | 'auto', launch: McpLaunch, parts: Connecting): Promise<McpLink> {
  const { signal, timeoutMs } = parts;
  const wire = wireOf(launch, parts);
  const { transport } = wire;
  const client = clientOf(mode, parts);
  const calls = new OpenCalls(parts.alarm ?? realAlarm);
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => ({
    ...(await calls.ask(params, mcpReq.signal)),
  }));
  client.setNotificationHandler('notifications/message', ({ params }) => {
    wire.log.add(() => safeText(parts.strike(logText(params))));
  });
  try {
    const prior = mode === 'auto' ? priorOf(parts) : undefined;
    await client.connect(transport, { signal, timeout: timeoutMs, ...(prior && { prior }) });
  } catch (error) {
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    if (signal.aborted) throw new AbortError();
    throw failure(error, wire.story(), parts);
  }
  const era = eraOf(mode, client);
  return new ClientLink(client, wire, parts, calls, era, launch.type === 'http' && era?.kind === 'modern');
}

/** A connection below the SDK's client. */
interface Wire {
  readonly transport: Transport;
  /** For the server's log messages. */
  readonly log: LimitedLog;
  /** How it ended, as sentences; empty if there is nothing to report. */
  story(): string;
}

function wireOf(launch: McpLaunch, parts: Connecting): Wire {
  const { isSpecType } = parts.library;
  const log = new LimitedLog((line) => parts.onSaid('server', line));
  const screening = { isMessage: isSpecType.JSONRPCMessage, onLogLeftOut: () => log.leaveOut() };
  if (launch.type === 'stdio') {
    const errors = new LimitedLog((line) => parts.onSaid('stderr', line));
    const onFlood = (why: string) => void transport.stop(why);
    const incoming = new IncomingMessages({ ...screening, onFlood });
    const { env, library, secrets } = parts;
    const transport = new ServerProcess(launch, { env, library, secrets, incoming, log: errors });
    return { transport, log, story: () => transport.story };
  }
  let story = '';
  const stop = (why: string) => {
    story ||= why;
    parts.onSaid('server', why);
    // Requests waiting on a stream would otherwise never learn that no response will come.
    void transport.close();
  };
  const incoming = new IncomingMessages({ ...screening, onFlood: stop });
  const transport = remoteTransport(launch, incoming, parts, () => stop(TOO_MUCH));
  return { transport, log, story: () => story };
}

function remoteTransport(
  launch: RemoteLaunch,
  incoming: IncomingMessages,
  parts: Connecting,
  onTooMuch: () => void,
): Transport {
  const { SSEClientTransport, StreamableHTTPClientTransport } = parts.library;
  const url = new URL(launch.url);
  const isAnswered = launch.type === 'http';
  const fetch = screenedFetch(fetchFor(launch, url, parts), { incoming, isAnswered, onTooMuch });
  const options = { fetch, requestInit: { headers: launch.headers } };
  return launch.type === 'http'
    ? new StreamableHTTPClientTransport(url, options)
    : new SSEClientTransport(url, options);
}

/** Adds the user's sign-in, unless the launch sets an authorization header itself. */
function fetchFor(launch: RemoteLaunch, url: URL, { fetch, library, signIns, wantedBy }: Connecting): Fetch {
  if (Object.keys(launch.headers).some((name) => name.toLowerCase() === 'authorization')) return keyedFetch(fetch);
  const tokens = new ServerTokens({ launch, store: signIns, fetch, library });
  return signedInFetch(fetch, url, tokens, wantedBy(launch), library.extractWWWAuthenticateParams);
}

/** Fails with EngineError `no-key` when the server refuses the key. */
function keyedFetch(fetch: Fetch): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    throw new EngineError('no-key', 'It refuses the key in its Authorization header. Store a valid one.');
  };
}

function clientOf(mode: 'legacy' | 'auto', parts: Connecting): Client {
  const changed = { autoRefresh: false, onChanged: () => parts.onListsChanged() };
  return new parts.library.Client(
    { name: 'cairn', version },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode },
      listChanged: { tools: changed, resources: changed, prompts: changed },
    },
  );
}

/** Formats a log message, for example "warning in db: no tables". */
function logText({ level, logger, data }: { level: string; logger?: string | undefined; data: unknown }): string {
  const where = logger === undefined ? '' : ` in ${logger}`;
  return `${level}${where}: ${typeof data === 'string' ? data : JSON.stringify(data)}`;
}

/** The maximum length of a progress message. */
const MAX_PROGRESS = 500;

function progressText({ message, progress, total }: Progress): string {
  return safeLine(message ?? (total === undefined ? String(progress) : `${progress} of ${total}`), MAX_PROGRESS);
}

/** Returns the earlier protocol detection, if it is still valid. */
function priorOf({ era, library }: Connecting): ConnectOptions['prior'] {
  if (!era) return undefined;
  if (era.kind === 'legacy') return { kind: 'legacy' };
  const discover: unknown = era.discovered;
  return library.isSpecType.DiscoverResult(discover) ? { kind: 'modern', discover } : undefined;
}

function eraOf(mode: 'legacy' | 'auto', client: Client): McpEra | undefined {
  if (mode === 'legacy') return undefined;
  const discovered = client.getProtocolEra() === 'modern' ? client.getDiscoverResult() : undefined;
  return discovered ? { kind: 'modern', discovered: { ...discovered } } : { kind: 'legacy' };
}

class ClientLink implements McpLink {
  readonly abilities: ReadonlySet<string>;
  readonly instructions: string;
  private isClosed = false;

  constructor(
    private readonly client: Client,
    private readonly wire: Wire,
    private readonly parts: Connecting,
    private readonly calls: OpenCalls,
    readonly era: McpEra | undefined,
    readonly sendsHeaders: boolean,
  ) {
    this.abilities = new Set(Object.keys(client.getServerCapabilities() ?? {}));
    this.instructions = client.getInstructions() ?? '';
    client.onclose = () => {
      if (this.isClosed) return;
      this.isClosed = true;
      wire.log.end();
      parts.onEnd({ why: wire.story() });
    };
  }

  listTools(cursor: string | undefined, signal: AbortSignal): Promise<unknown> {
    const params = cursor === undefined ? {} : { cursor };
    // Bypasses the SDK's method, which returns an empty list if one tool is malformed.
    return this.asked(() => this.client.request({ method: 'tools/list', params }, z.unknown(), { signal }), signal);
  }

  callTool(...[name, input, options]: Parameters<McpLink['callTool']>): Promise<unknown> {
    const { signal } = options;
    const params = { name, arguments: { ...input } };
    const send = (until: AbortSignal) => {
      const onprogress = (one: Progress) => options.onProgress(progressText(one));
      const sending = { signal: until, onprogress, maxTotalTimeout: NEVER_MS, timeout: NEVER_MS };
      // In the older protocol the SDK's method only adds a check that rejects a whole result for one malformed part.
      return this.era?.kind === 'modern'
        ? callWithHeaders(this.client, this.sendsHeaders ? options.schema : undefined, params, sending)
        : this.client.request({ method: 'tools/call', params }, z.unknown(), sending);
    };
    return this.asked(
      () =>
        this.calls.during(options, (until) => send(until).catch((error: unknown) => this.askForPages(error, until))),
      signal,
    );
  }

  request(...[method, params, options]: Parameters<McpLink['request']>): Promise<unknown> {
    const ask = (until: AbortSignal) =>
      this.client
        .request({ method, params: { ...params } }, z.unknown(), { signal: until, timeout: NEVER_MS })
        .catch((error: unknown) => this.askForPages(error, until));
    return this.asked(() => this.calls.during(options, ask), options.signal);
  }

  async isAlive(signal: AbortSignal): Promise<boolean> {
    try {
      // The newer protocol has no ping.
      if (this.era?.kind === 'modern') await this.client.discover({ signal });
      else await this.client.ping({ signal });
      return true;
    } catch (error) {
      // An error response also proves that the server is alive.
      return error instanceof this.parts.library.ProtocolError;
    }
  }

  template(text: string): AddressTemplate {
    const { UriTemplate } = this.parts.library;
    const wrong = (reason: 'io' | 'invalid-input') => (cause: unknown) => {
      throw new EngineError(reason, sentence(errorText(cause)), { cause });
    };
    const template = attempt(() => new UriTemplate(text), wrong('io'));
    return {
      variables: [...new Set(template.variableNames)],
      fill: (values) => attempt(() => template.expand({ ...values }), wrong('invalid-input')),
    };
  }

  /**
   * If the call failed only because the user must open a page first, shows it and throws an error that says how to proceed.
   * Rethrows other errors.
   */
  private async askForPages(error: unknown, signal: AbortSignal): Promise<never> {
    if (!(error instanceof this.parts.library.UrlElicitationRequiredError)) throw error;
    for (const page of error.elicitations.slice(0, MAX_PAGES)) {
      const { action } = await this.calls.ask(page, signal);
      if (action === 'accept') continue;
      throw new EngineError('io', 'The server requires the user to open a page first, and they did not.', {
        cause: error,
      });
    }
    const advice =
      'The server requires the user to open a page first, which they were shown. Call the tool again once they are done.';
    throw new EngineError('io', advice, { cause: error });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const { transport } = this.wire;
    if (transport instanceof this.parts.library.StreamableHTTPClientTransport) {
      const goodbye = transport.terminateSession().catch(() => undefined);
      await Promise.race([goodbye, new Promise((resolve) => setTimeout(resolve, GOODBYE_MS).unref())]);
    }
    await this.client.close().catch(() => undefined);
  }

  /** Per the protocol: a 404 for a request that carried a session id. Servers made from its SDK's example answer with 400. */
  private isWithoutSession(error: unknown): boolean {
    const { SdkHttpError, StreamableHTTPClientTransport } = this.parts.library;
    const { transport } = this.wire;
    const had = transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined;
    if (!had || !(error instanceof SdkHttpError)) return false;
    return error.status === 404 || (error.status === 400 && /\bsession\b|not initialized/i.test(error.message));
  }

  private async asked(ask: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    try {
      return await ask();
    } catch (error) {
      if (signal.aborted || isAbort(error)) throw new AbortError();
      if (error instanceof EngineError) throw error;
      if (this.isWithoutSession(error)) throw new SessionOverError(error);
      throw failure(error, this.wire.story(), this.parts);
    }
  }
}

function attempt<T>(work: () => T, onError: (error: unknown) => never): T {
  try {
    return work();
  } catch (error) {
    return onError(error);
  }
}
