import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errorText';
import { safeLine } from '../../base/shown/safeText';
import { EngineError } from '../engineError';
import type { Clock, FileSystem, Log, PathStyle } from '../ports';
import { digestOf } from '../tools/files/guard/seenFiles';
import type { AnyTool } from '../tools/tool';
import type { ToolContext } from '../tools/toolContext';
import type { ToolSource, WantsTool } from '../tools/toolSource';
import { fillLaunch, type LaunchValues } from './fillLaunch';
import { type CompletionOf, completeValue } from './completeValue';
import { learnServer } from './learnServer';
import { Manifests } from './manifests';
import { type ConsentState, McpConsents } from './mcpConsents';
import type { McpCallOptions, McpConnector, McpLink, McpRequest, SignInPage } from './mcpConnector';
import { McpPool, type ServerState } from './mcpPool';
import { answerServer } from './questions/answerServer';
import { launchIdentity, type McpServer, type Offer, type RemoteLaunch } from './mcpServer';
import type { McpPrompt } from './prompts/promptList';
import { readPromptMessage, type WrittenPrompt } from './prompts/promptMessage';
import { type McpPlace, ServerFiles } from './readServers';
import { attachResource } from './resources/attachResource';
import { readContents } from './resources/resourceContents';
import type { McpResource } from './resources/resourceList';
import { readingOf, resourceTools } from './resources/resourceTools';
import { notAsked, type Searchable, searchTools } from './searchTools';
import { agentTool, type CallServer, type ServerTool, serverTools } from './serverTools';

export interface McpParts {
  /** Absolute folder of the person's file, of what they allowed and of what is known of servers. */
  configFolder: string;
  ports: { files: FileSystem; paths: PathStyle; clock: Clock; log: Log };
  /** Loaded with the first server that is started. */
  connector: () => Promise<McpConnector>;
  values: LaunchValues;
  /** Tells a person where they allow a server: a sentence. */
  howToAllow: (id: string) => string;
  /** Tells a person where they sign in to a server: a sentence. */
  howToSignIn: (id: string) => string;
  /** Opens a page in the person's browser; false when it did not. Without it they open it themselves. */
  openPage?: (address: string) => Promise<boolean>;
}

/** A server with what is known of it. */
export interface KnownServer extends McpServer {
  consent: ConsentState;
  /** Undefined: it was never asked. */
  tools: number | undefined;
  /** What it lets others read, and what it writes for people, as far as it is known. */
  resources: readonly McpResource[];
  prompts: readonly McpPrompt[];
  state: ServerState;
}

export interface ToolsOfServers {
  tools: readonly AnyTool[];
  /** What a person should know: files that are wrong, servers that wait to be allowed. */
  notices: readonly string[];
}

type Answering = Partial<Pick<ToolContext, 'report'>> & Pick<ToolContext, 'ask'>;
/** What a server is asked within: who answers what it asks in turn, where somebody does. */
type AskedIn = Pick<ToolContext, 'signal'> & Partial<Answering>;

/** A call of a tool of a server that is still not over is given up. */
const CALL_MS = 600_000;
/** Nobody who types waits longer. */
const COMPLETE_MS = 3000;
/** Tools of a server that need more are found instead of told, unless somebody chose; in tokens, by four characters each. */
const TOLD_TOKENS = 500;

/** The MCP servers of a person and their workspaces: what is written of them, what is known, and those that are running. */
export class McpServers implements ToolSource {
  readonly consents: McpConsents;
  private readonly files: ServerFiles;
  private readonly manifests: Manifests;
  private readonly keys = new Map<string, string>();
  private pool: Promise<McpPool> | undefined;
  private made: McpPool | undefined;

  constructor(private readonly parts: McpParts) {
    const { configFolder, ports } = parts;
    this.consents = new McpConsents(configFolder, ports);
    this.files = new ServerFiles(configFolder, ports);
    this.manifests = new Manifests(ports.paths.resolve(configFolder, 'mcp-manifests'), ports);
  }

  /** Every server that is written, with what is known of it; nothing is started. Rejects when the file of consents is broken. */
  async list(place: McpPlace): Promise<{ servers: readonly KnownServer[]; problems: readonly string[] }> {
    const { servers, problems } = await this.files.read(place);
    const known = await Promise.all(
      servers.map(async (server): Promise<KnownServer> => {
        const key = await this.keyOf(server);
        const manifest = await this.manifests.get(key);
        const state = this.made?.stateOf(key) ?? { kind: 'stopped' };
        const { resources = [], prompts = [], tools } = manifest ?? {};
        const consent = await this.consents.stateOf(server);
        return { ...server, consent, tools: tools?.length, resources, prompts, state };
      }),
    );
    return { servers: known, problems };
  }

  /** The tools that an agent is given of them. Nothing is started, and nobody is waited for. Never rejects. */
  async toolsFor(place: McpPlace, wants: WantsTool): Promise<ToolsOfServers> {
    let listed: Awaited<ReturnType<McpServers['list']>>;
    try {
      listed = await this.list(place);
    } catch (error) {
      return { tools: [], notices: [errorText(error)] };
    }
    const waiting = listed.servers.filter(({ consent }) => consent.kind === 'unasked' || consent.kind === 'changed');
    const allowed = listed.servers.filter(
      (one) => one.consent.kind === 'allowed' && one.offer !== 'off' && wants(one.id),
    );
    const told: ServerTool[] = [];
    const searched: McpServer[] = [];
    for (const server of allowed) {
      const tools = this.toolsOf(server, wants);
      const offerOf = this.offersOf(server, tools ?? []);
      const always = (tools ?? []).filter((one) => offerOf(one) === 'always');
      told.push(...always);
      if (!tools || tools.some((one) => offerOf(one) === 'search')) searched.push(server);
    }
    const call = this.callServer;
    const searchable = this.searchable(searched, wants);
    const readables = allowed
      .filter((one) => one.resources.length > 0 && wants(one.id, readingOf(one)))
      .map((server) => ({ server, resources: server.resources }));
    return {
      tools: [
        ...told.map((one) => agentTool(one, call)),
        ...(searched.length > 0 ? searchTools(searchable, call) : []),
        ...(readables.length > 0 ? resourceTools(readables, this.readResource) : []),
      ],
      notices: [
        ...listed.problems,
        ...waiting.map((one) => waitingText(one, this.parts.howToAllow(safeLine(one.id, 100, 'exact')))),
      ],
    };
  }

  /**
   * Asks a server for something beside its tools, which starts it; what comes back was not checked. Without a context nobody
   * answers what it asks meanwhile. Rejects with EngineError that says why it cannot, and with AbortError.
   */
  ask(
    server: McpServer,
    method: McpRequest,
    params: Readonly<Record<string, unknown>>,
    context: AskedIn,
  ): Promise<unknown> {
    const { signal } = context;
    const answers = context.ask && this.answers(server, { ...context, ask: context.ask });
    return this.use(
      server,
      (link) => link.request(method, params, { signal, timeoutMs: CALL_MS, ...(answers && { onQuestion: answers }) }),
      signal,
    );
  }

  /**
   * What stands at an address of a server, to go with a message. Rejects as `ask` does, and with ToolFailure for what is no
   * resource.
   */
  async attach(server: McpServer, { uri, label }: { uri: string; label: string }, signal: AbortSignal) {
    const contents = readContents(await this.readResource(server, uri, { signal }), server.id);
    return attachResource(contents, { server: server.id, uri, label });
  }

  /**
   * Has a server write the message of a prompt, for a person to look at. Rejects as `ask` does, and with EngineError `io` for what
   * is no message.
   */
  async writePrompt(
    server: McpServer,
    prompt: string,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<WrittenPrompt> {
    const answer = await this.ask(server, 'prompts/get', { name: prompt, arguments: { ...values } }, { signal });
    return readPromptMessage(answer, { server: server.id, prompt });
  }

  /** What a server offers for a value that is being typed; nothing where it cannot. Rejects only with AbortError. */
  complete(
    server: McpServer,
    ref: CompletionOf,
    argument: { name: string; value: string },
    { known, signal }: { known: Readonly<Record<string, string>>; signal: AbortSignal },
  ): Promise<readonly string[]> {
    return completeValue(
      (method, params) =>
        this.use(server, (link) => link.request(method, params, { signal, timeoutMs: COMPLETE_MS }), signal),
      ref,
      argument,
      known,
    );
  }

  /** The address of a template with a value in the place of each variable that `valueOf` has one for. Rejects as `ask` does. */
  fillAddress(
    server: McpServer,
    template: string,
    valuesOf: (variables: readonly string[]) => Promise<Readonly<Record<string, string>>>,
    signal: AbortSignal,
  ): Promise<string> {
    return this.use(
      server,
      async (link) => {
        const { variables, fill } = link.template(template);
        return fill(await valuesOf(variables));
      },
      signal,
    );
  }

  /** Starts a server, if it is not at work, and asks for its tools. Rejects with EngineError that says why it cannot. */
  async check(
    server: McpServer,
    signal: AbortSignal,
  ): Promise<{ tools: readonly ServerTool[]; problems: readonly string[] }> {
    const problems = await this.use(server, (link) => this.learn(server, link, signal), signal);
    return { tools: this.toolsOf(server, () => true) ?? [], problems };
  }

  /**
   * Has the person sign in to a server in their browser; it is started anew with the next call. Rejects with EngineError `denied`
   * when they or the server refuse, `invalid-input` for one that has no address, `io`, and with AbortError.
   */
  async signIn(server: McpServer, page: SignInPage, signal: AbortSignal): Promise<void> {
    await (await this.parts.connector()).signIn(await this.remoteOf(server), page, signal);
    await this.stop(server);
  }

  /** Forgets the sign-in to a server; false when there was none. Rejects as `signIn` does. */
  async signOut(server: McpServer): Promise<boolean> {
    const wasIn = await (await this.parts.connector()).signOut(await this.remoteOf(server));
    await this.stop(server);
    return wasIn;
  }

  /** Ends a server, whoever uses it; the next call starts it again. */
  async stop(server: McpServer): Promise<void> {
    await this.made?.stop(await this.keyOf(server));
  }

  /** Ends all of them; resolves when they are gone. */
  async dispose(): Promise<void> {
    await (await this.pool)?.dispose();
  }

  /** By the size of a server's tools where nobody chose. */
  private offersOf(server: McpServer, tools: readonly ServerTool[]): (one: ServerTool) => Offer {
    const size = tools.reduce(
      (sum, { tool }) => sum + tool.description.length + JSON.stringify(tool.parameters).length,
      0,
    );
    const usual = server.offer ?? (size / 4 <= TOLD_TOKENS ? 'always' : 'search');
    return ({ tool }) => (Object.hasOwn(server.offerOf, tool.name) ? server.offerOf[tool.name] : undefined) ?? usual;
  }

  private searchable(servers: readonly McpServer[], wants: WantsTool): Searchable {
    return {
      servers: servers.map(({ id }) => id),
      tools: () =>
        servers.flatMap((server) => {
          const tools = this.toolsOf(server, wants) ?? [];
          const offerOf = this.offersOf(server, tools);
          return tools.filter((one) => offerOf(one) !== 'off');
        }),
      adviceOf: (id) => {
        const server = servers.find((one) => one.id === id);
        return (server && this.manifests.at(this.knownKey(server))?.instructions) ?? '';
      },
      learn: async (id, signal) => {
        const unknown = servers.filter(
          (one) => (id === undefined || one.id === id) && !this.manifests.at(this.knownKey(one)),
        );
        const told = await Promise.all(
          unknown.map((server) =>
            this.check(server, signal).then(
              () => [],
              (error: unknown) => [notAsked(server.id, error)],
            ),
          ),
        );
        return told.flat();
      },
    };
  }

  private readonly callServer: CallServer = (server, tool, input, { signal, report, ask }) =>
    this.use(
      server,
      async (link) => {
        if (!this.manifests.at(await this.keyOf(server))) await this.learn(server, link, signal);
        return link.callTool(tool, input, {
          ...{ signal, timeoutMs: CALL_MS, onProgress: (text) => report(`${text}\n`) },
          onQuestion: this.answers(server, { report, ask }),
        });
      },
      signal,
    );

  private readonly readResource = (server: McpServer, uri: string, context: AskedIn) =>
    this.ask(server, 'resources/read', { uri }, context);

  private answers(server: McpServer, { report, ask }: Answering): NonNullable<McpCallOptions['onQuestion']> {
    const { openPage } = this.parts;
    return (question, over) =>
      answerServer(question, {
        server: server.id,
        ask: (one) => ask(one, over),
        report: (line) => report?.(line),
        openPage,
      });
  }

  private async use<T>(server: McpServer, work: (link: McpLink) => Promise<T>, signal: AbortSignal): Promise<T> {
    const key = await this.keyOf(server);
    const pool = await this.poolOf();
    const wanted = {
      key,
      id: server.id,
      fill: () => fillLaunch(server, this.parts.values),
      onListsChanged: () => void this.learnAgain(server, key),
    };
    try {
      return await pool.use(wanted, work, signal);
    } catch (error) {
      if (!EngineError.is(error, 'denied')) throw error;
      throw new EngineError('denied', `${error.message} ${this.parts.howToSignIn(safeLine(server.id, 100, 'exact'))}`);
    }
  }

  private async remoteOf(server: McpServer): Promise<RemoteLaunch> {
    const launch = await fillLaunch(server, this.parts.values);
    if (launch.type !== 'stdio') return launch;
    throw new EngineError('invalid-input', `The MCP server ${server.id} is started here, so nobody signs in to it.`);
  }

  /** Gives a sentence for all that is left out. */
  private async learn(server: McpServer, link: McpLink, signal: AbortSignal): Promise<readonly string[]> {
    const { manifest, problems } = await learnServer(link, signal);
    await this.manifests.keep(await this.keyOf(server), manifest).catch((error: unknown) => {
      this.parts.ports.log.warn(`What is known of the MCP server ${server.id} could not be saved: ${errorText(error)}`);
    });
    return problems;
  }

  /** Told by a server that is running; who asks for its tools from now on gets the new ones. */
  private async learnAgain(server: McpServer, key: string): Promise<void> {
    if (this.made?.stateOf(key).kind !== 'ready') return;
    await this.check(server, new AbortController().signal).catch((error: unknown) => {
      if (!isAbort(error))
        this.parts.ports.log.warn(`The new tools of ${server.id} are not known: ${errorText(error)}`);
    });
  }

  /** Undefined when they are not known. */
  private toolsOf(server: McpServer, wants: WantsTool): readonly ServerTool[] | undefined {
    const manifest = this.manifests.at(this.knownKey(server));
    return manifest && serverTools(server, manifest.tools).filter(({ name }) => wants(server.id, name));
  }

  private async keyOf({ launch }: McpServer): Promise<string> {
    const identity = launchIdentity(launch);
    const key = this.keys.get(identity) ?? (await digestOf(this.parts.ports.files, identity));
    this.keys.set(identity, key);
    return key;
  }

  private knownKey({ launch }: McpServer): string {
    return this.keys.get(launchIdentity(launch)) ?? '';
  }

  private poolOf(): Promise<McpPool> {
    this.pool ??= this.parts.connector().then((connector) => {
      const { clock, log } = this.parts.ports;
      return (this.made = new McpPool({ connector, clock, log }));
    });
    return this.pool;
  }
}

function waitingText({ id, source, consent }: KnownServer, remedy: string): string {
  const what = consent.kind === 'changed' ? 'was changed since you allowed it' : 'waits to be allowed';
  return `The MCP server “${safeLine(id)}” of ${source.path} ${what}, so agents work without it. ${remedy}`;
}
