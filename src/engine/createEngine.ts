import { ContentAuthoring } from './authoring/contentAuthoring';
import { builtinProviders, builtinTools } from './builtins';
import type { PromptCommand } from './commands/promptCommand';
import { TypedCommands } from './commands/typedCommands';
import { type ContentBatch, ContentCatalog } from './content/contentCatalog';
import type { Named } from './content/contentProblem';
import { type ContentPlaces, type ContentRoot, contentRoots, type FoundKind } from './content/contentRoots';
import type { MachineFacts } from './content/specialVariables';
import type { ContextStrategy } from './context/contextStrategy';
import { DEFAULT_AGENT, Engine } from './engine';
import type { UserPrompter } from './events/agentEvent';
import { lazyClient, type Middleware } from './llm/llmClient';
import { loadModelCatalog } from './llm/modelCatalog';
import type { Provider } from './llm/provider';
import { ProviderRegistry } from './llm/providerRegistry';
import type { ApprovalHandler } from './permissions/approvalHandler';
import { AuditLog } from './permissions/auditLog';
import { PermissionStore } from './permissions/permissionStore';
import { type ProgramRule, ProgramRules } from './permissions/program/programRules';
import type { WorkspaceScope } from './permissions/workspaceScope';
import type { Clock, FileSystem, Ports } from './ports';
import { MiddlewareChain } from './run/hooks/middlewareChain';
import type { Sampling } from './run/runContext';
import type { RunLimits } from './run/stopConditions';
import { AgentRuntime } from './runtime/agentRuntime';
import { EngineRules } from './runtime/engineRules';
import { SessionQuestions } from './runtime/sessionQuestions';
import { discreetPorts } from './secrets/knownSecrets';
import { type EditWatcher, unwatchedEdits } from './sessions/fileCheckpoints';
import { FileSessionStore } from './sessions/fileSessionStore';
import { SessionCatalog } from './sessions/sessionCatalog';
import type { SessionsOf, SessionStore } from './sessions/sessionStore';
import type { EngineSettings } from './settings';
import type { ResolvedSkills, SkillLevels } from './skills/skill';
import type { RunMetadata } from './tools/hiddenContext';
import { Resources } from './tools/resources';
import { BackgroundCommands } from './tools/shell/backgroundCommands';
import type { AnyTool } from './tools/tool';
import type { ToolErrorRecovery } from './tools/toolErrors';
import { RegisteredTools } from './tools/toolRegistry';
import type { ToolSource } from './tools/toolSource';

export interface EngineParts {
  ports: Ports;
  /** Called whenever a setting is needed, so a change takes effect immediately. */
  settings: () => EngineSettings;
  approvals: ApprovalHandler;
  prompter: UserPrompter;
  /** Default: edits are not watched. */
  edits?: EditWatcher;
  /** Providers that only this front end has, such as the editor's own models. */
  extraProviders?: readonly Provider[];
  /**
   * Returns what to tell the user if a proxy on the way to an address requires a password: the proxy's name, without a password,
   * and where to enter it. Undefined if the proxy is unknown. Default: it always is.
   */
  proxySignIn?: (target: URL) => string | undefined;
  /** Absolute folder of the sessions. */
  sessionsFolder: string;
  /** Stores the sessions somewhere else. Default: on disk, in that folder. */
  sessions?: SessionsOf;
  /** Absolute folder of the user's permission rules and of the audit log. */
  configFolder: string;
  /** Rules of the program that embeds the engine; they are never written to disk. Default: none. */
  rules?: readonly ProgramRule[];
  /** Absolute folder of what comes with Cairn: agents, roles, skills. */
  assetsFolder: string;
  /** The user's home folder, to find agents, skills, and instructions of other tools; if absent, these are not looked for. */
  homeFolder?: string;
  /** The user's MCP server files of other programs. Default: none. */
  programFiles?: ContentPlaces['programFiles'];
  /** "linux", "darwin", "win32": told to the model. */
  platform: string;
  /** Other facts about the machine that prompts may mention. */
  machine?: Omit<MachineFacts, 'platform'>;
  /** Contains overrides for agents, such as `CODER_MODEL`. Default: none. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Used to read agents, roles and skills, so that only what was saved counts. Default: the files of `ports`. */
  savedFiles?: FileSystem;
  /** Absolute folders of the trusted workspace that are searched for agents, roles and skills. Default: none. */
  contentFolders?: () => readonly string[];
  /** Default: one trusted folder. */
  scope?: () => WorkspaceScope;
  /** The sampling of agents that do not specify it. Default: the model's own. */
  defaultSampling?: Sampling;
  /**
   * True if the user can see that the tour is not a model: it is then used while no model is ready. Default: it is only used when
   * named.
   */
  toursByItself?: boolean;
  /** The depth to which agents may start others, whatever they declare; 0: not at all. Default: as they declare. */
  maxTaskDepth?: number;
  /** Names of Cairn's tools that agents may have at all. Default: all. */
  toolNames?: readonly string[];
  /** Known to the tools of every run, but to no model; sessions and runs may override it and add to it. */
  metadata?: RunMetadata;
  resources?: Resources;
  /** Tools that depend on agent and workspace, such as those of MCP servers. Default: none. */
  toolSource?: ToolSource;
  /** Handles failed tool calls, unless the agent has its own handling. Default: the model is told. */
  toolErrors?: ToolErrorRecovery;
  /** Decides what models see of a conversation. Default: whatever fits, with summaries once it gets too long. */
  contextStrategy?: ContextStrategy;
  /** Validates a run request when it is made, and throws. Default: it is validated once the run has begun, which then fails. */
  checkRequest?: (request: unknown) => void;
}

/** The composition root of the engine: the only place that constructs its parts. */
export function createEngine(parts: EngineParts): Engine {
  const { settings, approvals, prompter, configFolder, platform } = parts;
  const { ports, sessions, audit, recordFolder } = keepers(parts);
  const providers = providersOf(parts, ports);
  const commands = new BackgroundCommands(ports.processes, ports.clock);
  const tools = new RegisteredTools(wantedTools(builtinTools({ ...ports, commands }), parts));
  const permissions = new PermissionStore(configFolder, ports, new ProgramRules(parts.rules));
  const middleware = new MiddlewareChain();
  const scope = parts.scope ?? (() => ({ trusted: true, folders: [] }));
  const places = contentPlaces(parts);
  const { prompts, ...content } = catalogs(places, { ...ports, files: parts.savedFiles ?? ports.files });
  const { agents, skills } = content;
  const names = { agents: () => agents.list(), skills: () => skills.list(), tools: () => tools.current.all };
  const models = () => providers.models().map(({ model }) => ({ name: model.id, description: model.label }));
  const shared = {
    ...content,
    sessions,
    providers,
    ports,
    recordFolder,
    machine: { ...parts.machine, platform },
    homeFolder: parts.homeFolder,
    toolSource: parts.toolSource,
    ...askedAnew(settings),
  };
  const judging = { tools, approvals, prompter, permissions, audit, scope, middleware };
  const runtime = new AgentRuntime({
    ...shared,
    defaultAgent: DEFAULT_AGENT,
    ...judging,
    ...choicesOf(parts),
    ...forEveryRun(settings),
    defaultModel: () => engine.defaultModel(),
  });
  const kept = { middleware, sessions, tools, commands, providers, permissions, audit };
  const engine: Engine = new Engine({
    ...content,
    typed: typedCommands(prompts, { agents, skills, providers, ports }, (id) => engine.skillsFor(id)),
    ...kept,
    content: new ContentAuthoring({ places, ports, names: { ...names, models, providers: () => providers.ids } }),
    runtime,
    questions: new SessionQuestions({ ...shared, runtime, middleware }),
    configuredModel: () => settings().model,
    toursByItself: parts.toursByItself ?? false,
    rules: new EngineRules({ ...shared, tools, runtime, permissions, scope }),
  });
  return engine;
}

/** Returns the tools in `toolNames`; all of them if that is absent. */
function wantedTools(all: readonly AnyTool[], { toolNames }: EngineParts): readonly AnyTool[] {
  return all.filter(({ name }) => toolNames?.includes(name) ?? true);
}

/** Settings that the user may change at any time. */
function askedAnew(settings: EngineParts['settings']) {
  return {
    skillSettings: () => skillSettings(settings()),
    wantedScripts: () => settings().tools,
    wantedServers: () => settings().servers,
  };
}

/** Options that a host may leave to the engine. */
function choicesOf(parts: EngineParts) {
  return {
    environment: parts.environment ?? {},
    metadata: parts.metadata ?? {},
    resources: parts.resources ?? Resources.none,
    toolErrors: parts.toolErrors,
    contextStrategy: parts.contextStrategy,
    checkRequest: parts.checkRequest,
    defaultSampling: parts.defaultSampling ?? {},
    maxTaskDepth: parts.maxTaskDepth ?? Infinity,
    edits: parts.edits ?? unwatchedEdits,
  };
}

function typedCommands(
  commands: ContentCatalog<PromptCommand>,
  {
    agents,
    skills,
    providers,
    ports,
  }: Pick<ReturnType<typeof catalogs>, 'agents' | 'skills'> & {
    providers: ProviderRegistry;
    ports: Ports;
  },
  skillsFor: (sessionId: string) => Promise<ResolvedSkills>,
): TypedCommands {
  const hasAgent = async (name: string) => (await agents.find(name)) !== undefined;
  const isReady = (model: string) => providers.isReady(model);
  const loadable = async (sessionId: string) => (await skillsFor(sessionId)).names;
  return new TypedCommands({ commands, skills, paths: ports.paths, hasAgent, isReady, loadable });
}

/** Creates the session store and the audit log, with the ports through which everything else accesses them. */
function keepers({ sessions, sessionsFolder, configFolder, ...parts }: EngineParts) {
  const given = discreetPorts(parts.ports);
  const store: SessionStore = sessions?.(given) ?? new FileSessionStore(sessionsFolder, given);
  const ports = { ...given, files: store.elsewhere?.over(given.files) ?? given.files };
  const recordFolder = store.elsewhere?.folder ?? configFolder;
  const audit = new AuditLog(recordFolder, ports);
  return { recordFolder, ports, audit, sessions: new SessionCatalog(store, ports.clock, ports.log) };
}

/** Loaded on the first request. */
function retriesOf(clock: Clock): Middleware {
  const load = () => import('./llm/middleware/retryBrokenStream');
  return (next, model) => lazyClient(async () => (await load()).retryBrokenStream(clock)(next, model));
}

function providersOf({ settings, extraProviders = [], proxySignIn }: EngineParts, ports: Ports): ProviderRegistry {
  return new ProviderRegistry(
    [...builtinProviders(settings, { ...ports, proxySignIn }), ...extraProviders],
    loadModelCatalog(() => settings().models),
    [retriesOf(ports.clock)],
    (problem) => ports.log.warn(problem),
  );
}

/** The user's settings for all agents, read when a run begins. */
function forEveryRun(settings: () => EngineSettings) {
  return {
    personInstructions: () => settings().instructions,
    autoContinues: () => settings().autoContinue,
    autoContinueLimit: () => settings().autoContinueLimit,
    limits: () => runLimits(settings()),
    defaultEffort: () => settings().reasoningEffort,
    usualSampling: settings,
  };
}

function skillSettings({ skills: { enabled, visible, byDefault } }: EngineSettings): SkillLevels['global'] {
  return { ...(!enabled && { on: false }), ...(visible && { visible }), ...(byDefault && { names: byDefault }) };
}

function contentPlaces(parts: EngineParts): () => ContentPlaces {
  const { assetsFolder, configFolder, homeFolder, programFiles, contentFolders, settings } = parts;
  const serverNames = () => settings().servers.mapping;
  const visibleSkills = () => settings().skills.visible;
  const lasting = { assetsFolder, configFolder, homeFolder, programFiles, serverNames, visibleSkills };
  return () => ({ ...lasting, workspaceFolders: contentFolders?.() ?? [] });
}

/**
 * Everything that is a file in one of three places: what comes with Cairn, the user's, the workspace's. The loaders bring YAML
 * and many schemas along, so they are loaded on first use.
 */
function catalogs(places: () => ContentPlaces, ports: Ports) {
  const catalogOf = <T extends Named>(
    kind: FoundKind,
    open: () => Promise<{ readRoot(root: ContentRoot): Promise<ContentBatch<T>> }>,
  ) =>
    new ContentCatalog<T>({
      roots: () => contentRoots(kind, places(), ports.paths),
      plugins: async () => {
        const { workspaceFolders } = places();
        if (workspaceFolders.length === 0) return { roots: [], problems: [] };
        return (await import('./content/pluginRoots')).pluginRoots(kind, { workspaceFolders }, ports);
      },
      read: async (root) => (await open()).readRoot(root),
      files: ports.files,
      log: ports.log,
    });
  return {
    agents: catalogOf('agents', async () => new (await import('./authoring/contentLoaders')).AgentLoader(ports)),
    skills: catalogOf('skills', async () => new (await import('./authoring/contentLoaders')).SkillLoader(ports)),
    roles: catalogOf('roles', async () => new (await import('./authoring/contentLoaders')).RoleLoader(ports)),
    prompts: catalogOf('commands', async () => new (await import('./authoring/contentLoaders')).CommandLoader(ports)),
  };
}

function runLimits({ limits: { minutes, ...limits } }: EngineSettings): RunLimits {
  return { ...limits, ...(minutes !== undefined && { timeMs: minutes * 60_000 }) };
}
