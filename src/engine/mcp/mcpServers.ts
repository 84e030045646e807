import type { Disposable } from '../../base/disposable';
import { errorText } from '../../base/errorText';
import { safeLine } from '../../base/shown/safeText';
import type { AnyTool } from '../tools/tool';
import type { ToolContext } from '../tools/toolContext';
import type { ServerNames, ToolPlace, ToolSource, WantsTool } from '../tools/toolSource';
import type { CompletionOf } from './completeValue';
import { type ConsentState, McpConsents, McpOffers } from './mcpChoices';
import type { McpCallOptions, McpRequest, SignInPage } from './mcpConnector';
import type { McpServer, Offer } from './mcpServer';
import { type OfferParts, offeredTools, offersOf, type WantsServer } from './offeredTools';
import type { McpPrompt } from './prompts/promptList';
import type { WrittenPrompt } from './prompts/promptMessage';
import { type McpPlace, ServerFiles } from './readServers';
import type { ProgramFile } from './serverPlaces';
import type { McpResource } from './resources/resourceList';
import type { ServerState } from './running/mcpPool';
import { type RunningParts, RunningServers } from './running/runningServers';
import type { LogFollower } from './running/serverLogs';
import type { Traffic } from './running/serverTraffic';
import type { McpInput } from './serverInputs';
import { type CallServer, type ServerTool, serverTools } from './serverTools';

export interface McpParts extends RunningParts {
  /** Tells a person where they allow a server: a sentence. */
  howToAllow: (id: string) => string;
  /** Where the person has servers of other programs. */
  programFiles?: readonly ProgramFile[];
  /** Opens a page in the person's browser; false when it did not. Without it they open it themselves. */
  openPage?: (address: string) => Promise<boolean>;
}

/** A server with what is known of it. */
export interface KnownServer extends McpServer {
  consent: ConsentState;
  /** Of its tools, since we began. */
  traffic: Traffic;
  /** Undefined: it was never asked. */
  tools: number | undefined;
  /** What it lets others read, and what it writes for people, as far as it is known. */
  resources: readonly McpResource[];
  prompts: readonly McpPrompt[];
  state: ServerState;
}

interface ListedServers {
  servers: readonly KnownServer[];
  problems: readonly string[];
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

/** The MCP servers of a person and their workspaces: what is written of them, what is known, and those that are running. */
export class McpServers implements ToolSource {
  readonly consents: McpConsents;
  readonly offers: McpOffers;
  private readonly files: ServerFiles;
  private readonly running: RunningServers;

  constructor(private readonly parts: McpParts) {
    const { configFolder, ports } = parts;
    this.consents = new McpConsents(configFolder, ports);
    this.offers = new McpOffers(configFolder, ports);
    this.files = new ServerFiles(configFolder, ports, parts.programFiles);
    this.running = new RunningServers(parts);
  }

  /** Where the person has servers of other programs. */
  get programFiles(): readonly ProgramFile[] {
    return this.parts.programFiles ?? [];
  }

  /**
   * Every server that is written, with what is known of it; nothing is started. `isWanted`: of the files of other programs, those that
   * are read. Rejects when the file of consents is broken.
   */
  async list(place: McpPlace, isWanted?: (path: string) => boolean): Promise<ListedServers> {
    const { servers, problems } = await this.files.read(place, isWanted);
    const { wanted, unread } = await this.asWanted(servers);
    const known = await Promise.all(
      wanted.map(async (server): Promise<KnownServer> => {
        const { manifest, state, traffic } = await this.running.known(server);
        const { resources = [], prompts = [], tools } = manifest ?? {};
        const consent = await this.consents.stateOf(server);
        return { ...server, consent, tools: tools?.length, resources, prompts, state, traffic };
      }),
    );
    return { servers: known, problems: [...problems, ...unread] };
  }

  /** The tools that an agent is given of them. Nothing is started, and nobody is waited for. Never rejects. */
  async toolsFor(place: McpPlace & Pick<ToolPlace, 'serverNames'>, wants: WantsTool): Promise<ToolsOfServers> {
    let listed: ListedServers;
    try {
      const allowedFiles = await this.consents.allowedFiles();
      listed = await this.list(place, (path) => allowedFiles.has(path));
    } catch (error) {
      return { tools: [], notices: [errorText(error)] };
    }
    // Those that somebody has for another program are no news.
    const waiting = listed.servers.filter(
      ({ consent, scope }) => consent.kind === 'changed' || (consent.kind === 'unasked' && scope === 'workspace'),
    );
    const wantsServer: WantsServer = ({ id, aliases = [] }, tool) => [id, ...aliases].some((name) => wants(name, tool));
    const allowed = listed.servers
      .filter((one) => one.consent.kind === 'allowed' && one.offer !== 'off')
      .map((one) => ({ ...one, aliases: aliasesOf(one.id, place.serverNames) }))
      .filter((one) => wantsServer(one));
    return {
      tools: offeredTools(allowed, wantsServer, this.offering),
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
    return this.running.use(
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
    const answer = await this.readResource(server, uri, { signal });
    const { attachResource, readContents } = await import('./resources/resourceContents');
    return attachResource(readContents(answer, server.id), { server: server.id, uri, label });
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
    const { readPromptMessage } = await import('./prompts/promptMessage');
    return readPromptMessage(answer, { server: server.id, prompt });
  }

  /** What a server offers for a value that is being typed; nothing where it cannot. Rejects only with AbortError. */
  async complete(
    server: McpServer,
    ref: CompletionOf,
    argument: { name: string; value: string },
    { known, signal }: { known: Readonly<Record<string, string>>; signal: AbortSignal },
  ): Promise<readonly string[]> {
    const { completeValue } = await import('./completeValue');
    return completeValue(
      (method, params) =>
        this.running.use(server, (link) => link.request(method, params, { signal, timeoutMs: COMPLETE_MS }), signal),
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
    return this.running.use(
      server,
      async (link) => {
        const { variables, fill } = link.template(template);
        return fill(await valuesOf(variables));
      },
      signal,
    );
  }

  /** How models hear of each tool of a server, as far as they are known, where agents also have those `beside`. */
  toolsOf(server: McpServer, beside: readonly McpServer[] = [server]): readonly (ServerTool & { offer: Offer })[] {
    const toolsOf = (one: McpServer) => serverTools(one, this.running.manifestOf(one)?.tools ?? []);
    const tools = toolsOf(server);
    const offerOf = offersOf(tools, beside.flatMap(toolsOf));
    return tools.map((one) => ({ ...one, offer: offerOf(one) }));
  }

  /** Told whenever a server may have another state, or is known better. */
  onChange(listener: () => void): Disposable {
    return this.running.onChange(listener);
  }

  /** Strikes out of the words of a server the secrets that it was started with. */
  strikeOf(server: McpServer): Promise<(text: string) => string> {
    return this.running.strikeOf(server);
  }

  /** The last lines of what a server did and said, and each new one until it is disposed. */
  followLog(server: McpServer, follower: LogFollower): Promise<Disposable> {
    return this.running.follow(server, follower);
  }

  /** What a person has to be asked for before a server can start. */
  async missingInputs(server: McpServer): Promise<readonly McpInput[]> {
    const { givenInputs } = await import('./running/fillLaunch');
    return (await givenInputs(server, this.parts.values.secrets)).missing;
  }

  /** Starts a server, if it is not at work, and asks for its tools. Rejects with EngineError that says why it cannot. */
  async check(
    server: McpServer,
    signal: AbortSignal,
  ): Promise<{ tools: readonly ServerTool[]; problems: readonly string[] }> {
    const problems = await this.running.check(server, signal);
    return { tools: serverTools(server, this.running.manifestOf(server)?.tools ?? []), problems };
  }

  /** The same because a person says so: also a server that failed a moment ago, or again and again. */
  async start(...[server, signal]: Parameters<McpServers['check']>): ReturnType<McpServers['check']> {
    await this.running.forgive(server);
    return this.check(server, signal);
  }

  /**
   * Has the person sign in to a server in their browser; it is started anew with the next call. Rejects with EngineError `denied`
   * when they or the server refuse, `invalid-input` for one that has no address, `io`, and with AbortError.
   */
  async signIn(server: McpServer, page: SignInPage, signal: AbortSignal): Promise<void> {
    await (await this.parts.connector()).signIn(await this.running.remoteOf(server), page, signal);
    await this.stop(server);
  }

  /** Forgets the sign-in to a server; false when there was none. Rejects as `signIn` does. */
  async signOut(server: McpServer): Promise<boolean> {
    const wasIn = await (await this.parts.connector()).signOut(await this.running.remoteOf(server));
    await this.stop(server);
    return wasIn;
  }

  /** Ends a server, whoever uses it; the next call starts it again. */
  async stop(server: McpServer): Promise<void> {
    await this.running.stop(server);
  }

  /** Ends all of them; resolves when they are gone. */
  async dispose(): Promise<void> {
    await this.running.dispose();
  }

  /** As the person wants models to hear of them, if that can be read. */
  private async asWanted(servers: readonly McpServer[]): Promise<{ wanted: readonly McpServer[]; unread: string[] }> {
    try {
      return { wanted: await Promise.all(servers.map((server) => this.offers.applied(server))), unread: [] };
    } catch (error) {
      return { wanted: servers, unread: [errorText(error)] };
    }
  }

  private readonly callServer: CallServer = (server, tool, input, { signal, report, ask }) =>
    this.running.use(
      server,
      async (link) => {
        await this.running.learnOnce(server, link, signal);
        return this.running.call(server, tool, () =>
          link.callTool(tool, input, {
            signal,
            timeoutMs: CALL_MS,
            onProgress: (text) => report(`${text}\n`),
            onQuestion: this.answers(server, { report, ask }),
          }),
        );
      },
      signal,
    );

  private readonly readResource = (server: McpServer, uri: string, context: AskedIn) =>
    this.ask(server, 'resources/read', { uri }, context);

  private get offering(): OfferParts {
    return {
      manifestOf: (server) => this.running.manifestOf(server),
      check: (server, signal) => this.running.check(server, signal),
      call: this.callServer,
      read: this.readResource,
      clock: this.parts.ports.clock,
    };
  }

  private answers(server: McpServer, { report, ask }: Answering): NonNullable<McpCallOptions['onQuestion']> {
    const { openPage } = this.parts;
    return async (question, over) => {
      const { answerServer } = await import('./questions/answerServer');
      return answerServer(question, {
        server: server.id,
        ask: (one) => ask(one, over),
        report: (line) => report?.(line),
        openPage,
      });
    };
  }
}

function aliasesOf(id: string, names: ServerNames = {}): readonly string[] {
  return Object.entries(names).flatMap(([alias, ids]) => (ids.includes(id) ? [alias] : []));
}

function waitingText({ id, source, consent }: KnownServer, remedy: string): string {
  const what = consent.kind === 'changed' ? 'has changed since you allowed it' : 'waits to be allowed';
  return `The MCP server “${safeLine(id)}” of ${source.path} ${what}, so agents work without it. ${remedy}`;
}
