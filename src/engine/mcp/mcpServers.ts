import type { Disposable } from '../../base/disposable';
import { errorText } from '../../base/errors';
import { safeLine } from '../../base/shown/safeText';
import type { AnyTool } from '../tools/tool';
import type { ToolContext } from '../tools/toolContext';
import type { ServerNames, ToolPlace, ToolSource, WantsTool } from '../tools/toolSource';
import type { CompletionOf } from './completeValue';
import { type ConsentState, McpConsents, McpOffers } from './mcpChoices';
import type { McpCallOptions, McpRequest, SignInPage } from './mcpConnector';
import type { McpInput, McpServer, Offer } from './mcpServer';
import {
  type CallServer,
  offeredTools,
  type OfferParts,
  offersOf,
  type ServerTool,
  serverTools,
  type WantsServer,
} from './offeredTools';
import type { WrittenPrompt } from './promptMessage';
import { type McpPlace, ServerFiles } from './readServers';
import type { ServerState } from './running/mcpPool';
import { type RunningParts, RunningServers } from './running/runningServers';
import type { LogFollower, Traffic } from './running/serverLogs';
import type { McpPrompt, McpResource } from './serverLists';
import type { ProgramFile } from './serverPlaces';

export interface McpParts extends RunningParts {
  /** Returns a sentence that tells the user where to allow these servers. */
  howToAllow: (ids: readonly string[]) => string;
  /** The user's server files of other programs. */
  programFiles?: readonly ProgramFile[];
  /** Opens a page in the user's browser; resolves to false if it was not opened. If absent, users open pages themselves. */
  openPage?: (address: string) => Promise<boolean>;
}

/** A server with its current status. */
export interface KnownServer extends McpServer {
  consent: ConsentState;
  /** Traffic of its tools since Cairn started. */
  traffic: Traffic;
  /** Undefined: it was never asked. */
  tools: number | undefined;
  /** Its resources and prompts, as far as known. */
  resources: readonly McpResource[];
  prompts: readonly McpPrompt[];
  state: ServerState;
}

interface ListedServers {
  servers: readonly KnownServer[];
  problems: readonly string[];
}

interface ToolsOfServers {
  tools: readonly AnyTool[];
  /** For the user: files with errors, and servers waiting to be allowed. */
  notices: readonly string[];
}

type Answering = Partial<Pick<ToolContext, 'report'>> & Pick<ToolContext, 'ask'>;
/** The context of a request to a server, with what is needed to answer its questions, where someone can. */
type AskedIn = Pick<ToolContext, 'signal'> & Partial<Answering>;

/** Time limit for a tool call. */
const CALL_MS = 600_000;
/** Time limit for completions, since the user is typing. */
const COMPLETE_MS = 3000;

/** Manages the MCP servers of a user and their workspaces: their definitions, what is known of them, and the running ones. */
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

  /** Where the user has servers of other programs. */
  get programFiles(): readonly ProgramFile[] {
    return this.parts.programFiles ?? [];
  }

  /**
   * Lists every defined server with its status, without starting any. `isWanted` selects which files of other programs are read.
   * Rejects if the consent file is damaged.
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

  /** Returns the tools offered to an agent. Starts nothing, waits for no one, and never rejects. */
  async toolsFor(place: McpPlace & Pick<ToolPlace, 'serverNames'>, wants: WantsTool): Promise<ToolsOfServers> {
    let listed: ListedServers;
    try {
      const allowedFiles = await this.consents.allowedFiles();
      listed = await this.list(place, (path) => allowedFiles.has(path));
    } catch (error) {
      return { tools: [], notices: [errorText(error)] };
    }
    const wantsServer: WantsServer = ({ id, aliases = [] }, tool) => [id, ...aliases].some((name) => wants(name, tool));
    const wanted = listed.servers
      .map((one) => ({ ...one, aliases: aliasesOf(one.id, place.serverNames) }))
      .filter((one) => wantsServer(one));
    // Servers that the user has set up for another program are not worth a notice.
    const waiting = wanted.filter(
      ({ consent, scope }) => consent.kind === 'changed' || (consent.kind === 'unasked' && scope === 'workspace'),
    );
    const allowed = wanted.filter(({ consent, offer }) => consent.kind === 'allowed' && offer !== 'off');
    return {
      tools: offeredTools(allowed, wantsServer, this.offering),
      notices: [...listed.problems, ...waitingTexts(waiting, this.parts.howToAllow)],
    };
  }

  /**
   * Sends a server a request other than a tool call, starting it if needed. The response is unchecked. Without `ask` in the
   * context, the server's questions are not answered. Rejects with an EngineError that gives the reason, and with AbortError.
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

  /** Reads a server's resource, to attach it to a message. Rejects as `ask` does, and with ToolFailure if the answer is not a resource. */
  async attach(server: McpServer, { uri, label }: { uri: string; label: string }, signal: AbortSignal) {
    const answer = await this.readResource(server, uri, { signal });
    const { attachResource, readContents } = await import('./resourceContents');
    return attachResource(readContents(answer, server.id), { server: server.id, uri, label });
  }

  /**
   * Has a server write the message of a prompt, for the user to review. Rejects as `ask` does, and with EngineError `io` if the
   * answer is not a message.
   */
  async writePrompt(
    server: McpServer,
    prompt: string,
    values: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<WrittenPrompt> {
    const answer = await this.ask(server, 'prompts/get', { name: prompt, arguments: { ...values } }, { signal });
    const { readPromptMessage } = await import('./promptMessage');
    return readPromptMessage(answer, { server: server.id, prompt });
  }

  /** Returns the server's completions for a partly typed value; empty if it has none. Rejects only with AbortError. */
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

  /** Expands a URI template with the values that `valuesOf` returns for its variables. Rejects as `ask` does. */
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

  /** Returns how each known tool of a server is offered to models, for agents that also have the servers in `beside`. */
  toolsOf(server: McpServer, beside: readonly McpServer[] = [server]): readonly (ServerTool & { offer: Offer })[] {
    const toolsOf = (one: McpServer) => serverTools(one, this.running.manifestOf(one)?.tools ?? []);
    const tools = toolsOf(server);
    const offerOf = offersOf(tools, beside.flatMap(toolsOf));
    return tools.map((one) => ({ ...one, offer: offerOf(one) }));
  }

  /** Calls the listener whenever a server's state, or what is known of it, may have changed. */
  onChange(listener: () => void): Disposable {
    return this.running.onChange(listener);
  }

  /** Returns a function that removes the secrets a server was started with from its output. */
  strikeOf(server: McpServer): Promise<(text: string) => string> {
    return this.running.strikeOf(server);
  }

  /** Passes on the last lines of a server's log, and each new one until disposed. */
  followLog(server: McpServer, follower: LogFollower): Promise<Disposable> {
    return this.running.follow(server, follower);
  }

  /** Returns the inputs the user must provide before a server can start. */
  async missingInputs(server: McpServer): Promise<readonly McpInput[]> {
    const { givenInputs } = await import('./running/fillLaunch');
    return (await givenInputs(server, this.parts.values.secrets)).missing;
  }

  /** Starts a server if it is not running, and asks for its tools. Rejects with an EngineError that gives the reason. */
  async check(
    server: McpServer,
    signal: AbortSignal,
  ): Promise<{ tools: readonly ServerTool[]; problems: readonly string[] }> {
    const problems = await this.running.check(server, signal);
    return { tools: serverTools(server, this.running.manifestOf(server)?.tools ?? []), problems };
  }

  /** Like `check`, but at the user's request: also starts a server that has just failed, or has failed repeatedly. */
  async start(...[server, signal]: Parameters<McpServers['check']>): ReturnType<McpServers['check']> {
    await this.running.forgive(server);
    return this.check(server, signal);
  }

  /**
   * Signs the user in to a server in their browser. The server is restarted on its next call. Rejects with EngineError `denied`
   * if the user or the server refuses, `invalid-input` if the server has no address, and `io`; and with AbortError.
   */
  async signIn(server: McpServer, page: SignInPage, signal: AbortSignal): Promise<void> {
    await (await this.parts.connector()).signIn(await this.running.remoteOf(server), page, signal);
    await this.stop(server);
  }

  /** Deletes the sign-in to a server. Resolves to false if there was none. Rejects as `signIn` does. */
  async signOut(server: McpServer): Promise<boolean> {
    const wasIn = await (await this.parts.connector()).signOut(await this.running.remoteOf(server));
    await this.stop(server);
    return wasIn;
  }

  /** Stops a server, whoever uses it. The next call starts it again. */
  async stop(server: McpServer): Promise<void> {
    await this.running.stop(server);
  }

  /** Stops all servers. Resolves once they are gone. */
  async dispose(): Promise<void> {
    await this.running.dispose();
  }

  /** Applies the user's offer choices, if they can be read. */
  private async asWanted(servers: readonly McpServer[]): Promise<{ wanted: readonly McpServer[]; unread: string[] }> {
    try {
      return { wanted: await this.offers.applied(servers), unread: [] };
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
            schema: this.running.manifestOf(server)?.tools.find(({ name }) => name === tool)?.parameters,
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

/** Names in a notice. */
const MOST_NAMED = 5;

/** Returns one notice for all servers of a file that wait for the same reason. */
function waitingTexts(waiting: readonly KnownServer[], howToAllow: McpParts['howToAllow']): string[] {
  const groups = new Map<string, KnownServer[]>();
  for (const one of waiting) {
    const key = `${one.consent.kind} ${one.source.path}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((servers) => {
    const isOne = servers.length === 1;
    const ids = servers.map(({ id }) => safeLine(id, 100, 'exact'));
    const more = ids.length > MOST_NAMED ? ` and ${ids.length - MOST_NAMED} more` : '';
    const names = ids.slice(0, MOST_NAMED).map((id) => `“${id}”`);
    const isChanged = servers[0]?.consent.kind === 'changed';
    const changed = isOne ? 'has changed since you allowed it' : 'have changed since you allowed them';
    const waits = isOne ? 'needs to be allowed' : 'wait to be allowed';
    const who = `The MCP server${isOne ? '' : 's'} ${names.join(', ')}${more} of ${servers[0]?.source.path}`;
    return `${who} ${isChanged ? changed : waits}, so agents work without ${isOne ? 'it' : 'them'}. ${howToAllow(ids)}`;
  });
}
