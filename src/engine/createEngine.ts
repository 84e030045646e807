import { AgentRuntime } from './runtime/agentRuntime';
import type { PromptCommand } from './commands/promptCommand';
import { TypedCommands } from './commands/typedCommands';
import { ContentAuthoring } from './authoring/contentAuthoring';
import { SessionQuestions } from './runtime/sessionQuestions';
import { builtinProviders } from './builtinProviders';
import { builtinTools } from './builtinTools';
import type { ContextStrategy } from './context/contextStrategy';
import { type ContentBatch, ContentCatalog } from './content/contentCatalog';
import { type ContentPlaces, type ContentRoot, contentRoots, type FoundKind } from './content/contentRoots';
import type { Named } from './content/contentSource';
import type { MachineFacts } from './content/specialVariables';
import { DEFAULT_AGENT, Engine } from './engine';
import { lazyClient } from './llm/lazyClient';
import type { Middleware } from './llm/llmClient';
import { loadModelCatalog } from './llm/modelCatalog';
import type { Provider } from './llm/provider';
import { ProviderRegistry } from './llm/providerRegistry';
import type { ApprovalHandler } from './permissions/approvalHandler';
import { AuditLog } from './permissions/auditLog';
import { PermissionStore } from './permissions/permissionStore';
import { type ProgramRule, ProgramRules } from './permissions/program/programRules';
import { EngineRules } from './runtime/engineRules';
import type { WorkspaceScope } from './permissions/workspaceScope';
import type { Clock, FileSystem, Ports } from './ports';
import { MiddlewareChain } from './run/hooks/middlewareChain';
import type { Sampling } from './run/runContext';
import type { RunLimits } from './run/stopConditions';
import { type EditWatcher, unwatchedEdits } from './sessions/editWatcher';
import { FileSessionStore } from './sessions/fileSessionStore';
import { SessionCatalog } from './sessions/sessionCatalog';
import type { SessionsOf, SessionStore } from './sessions/sessionStore';
import { discreetPorts } from './secrets/discreetPorts';
import type { EngineSettings } from './settings';
import type { ResolvedSkills, SkillLevels } from './skills/resolveSkills';
import { BackgroundCommands } from './tools/shell/backgroundCommands';
import type { AnyTool } from './tools/tool';
import { RegisteredTools } from './tools/registeredTools';
import type { RunMetadata } from './tools/hiddenContext';
import { Resources } from './tools/resources';
import type { ToolSource } from './tools/toolSource';
import type { ToolErrorRecovery } from './tools/toolErrors';
import type { UserPrompter } from './events/question';

export interface EngineParts {
  ports: Ports;
  /** Read whenever something needs it, so that a change counts at once. */
  settings: () => EngineSettings;
  approvals: ApprovalHandler;
  prompter: UserPrompter;
  /** Default: nobody watches. */
  edits?: EditWatcher;
  /** Providers that only this front end has, such as the editor's own models. */
  extraProviders?: readonly Provider[];
  /**
   * What a person is told when a proxy on the way to an address wants a password: its name, without one, and where to write
   * it. Undefined when nobody knows the proxy. Default: nobody does.
   */
  proxySignIn?: (target: URL) => string | undefined;
  /** Absolute folder of the sessions. */
  sessionsFolder: string;
  /** Where they are kept instead. Default: on the disk, in that folder. */
  sessions?: SessionsOf;
  /** Absolute folder of the person's permission rules and of the audit log. */
  configFolder: string;
  /** Of the program that the engine works in; they are written nowhere. Default: none. */
  rules?: readonly ProgramRule[];
  /** Absolute folder of what comes with Cairn: agents, roles, skills. */
  assetsFolder: string;
  /** The person's home, for the agents and skills that they have of other tools; absent: those are not looked for. */
  homeFolder?: string;
  /** Where the person has MCP servers for other programs. Default: nowhere. */
  programFiles?: ContentPlaces['programFiles'];
  /** "linux", "darwin", "win32": told to the model. */
  platform: string;
  /** What else of the machine prompts may name. */
  machine?: Omit<MachineFacts, 'platform'>;
  /** Where overrides of agents stand, such as `CODER_MODEL`. Default: none. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** Through which agents, roles and skills are read, so that only what was saved counts. Default: those of `ports`. */
  savedFiles?: FileSystem;
  /** Absolute folders of the trusted workspace, in which agents, roles and skills are looked for. Default: none. */
  contentFolders?: () => readonly string[];
  /** Default: one trusted folder. */
  scope?: () => WorkspaceScope;
  /** How agents want to be answered that do not say it. Default: as the model does by itself. */
  defaultSampling?: Sampling;
  /** True where a person sees that the tour is no model: it then stands in while no other is ready. Default: it is only taken when named. */
  toursByItself?: boolean;
  /** How deep agents may start others, whatever they say; 0: not at all. Default: as they say. */
  maxTaskDepth?: number;
  /** Names of the tools of Cairn that agents may be given at all. Default: every one. */
  toolNames?: readonly string[];
  /** What the tools of every run may know and no model; sessions and runs may say otherwise, and bring more. */
  metadata?: RunMetadata;
  resources?: Resources;
  /** Tools that depend on agent and workspace, such as those of MCP servers. Default: none. */
  toolSource?: ToolSource;
  /** What becomes of calls of tools that fail, where an agent does not say it. Default: the model is told. */
  toolErrors?: ToolErrorRecovery;
  /** Decides what models see of a conversation. Default: what fits, and summaries when it gets too long. */
  contextStrategy?: ContextStrategy;
  /** Checks what a run is asked for where it is asked, and throws. Default: once the run has begun, which then fails. */
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

/** All that there are where none are named. */
function wantedTools(all: readonly AnyTool[], { toolNames }: EngineParts): readonly AnyTool[] {
  return all.filter(({ name }) => toolNames?.includes(name) ?? true);
}

/** What the person may change at any time. */
function askedAnew(settings: EngineParts['settings']) {
  return {
    skillSettings: () => skillSettings(settings()),
    wantedScripts: () => settings().tools,
    wantedServers: () => settings().servers,
  };
}

/** What a host may leave to the engine. */
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

/** What keeps sessions and what belongs to them, with the ports through which all else reaches these. */
function keepers({ sessions, sessionsFolder, configFolder, ...parts }: EngineParts) {
  const given = discreetPorts(parts.ports);
  const store: SessionStore = sessions?.(given) ?? new FileSessionStore(sessionsFolder, given);
  const ports = { ...given, files: store.elsewhere?.over(given.files) ?? given.files };
  const recordFolder = store.elsewhere?.folder ?? configFolder;
  const audit = new AuditLog(recordFolder, ports);
  return { recordFolder, ports, audit, sessions: new SessionCatalog(store, ports.clock, ports.log) };
}

/** Loaded with the first request. */
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

/** What the person said for all agents, read when a run begins. */
function forEveryRun(settings: () => EngineSettings) {
  return {
    personInstructions: () => settings().instructions,
    autoContinues: () => settings().autoContinue,
    autoContinueLimit: () => settings().autoContinueLimit,
    limits: () => runLimits(settings()),
    defaultEffort: () => settings().reasoningEffort,
  };
}

function skillSettings({ skills: { enabled, visible, byDefault } }: EngineSettings): SkillLevels['global'] {
  return { ...(!enabled && { on: false }), ...(visible && { visible }), ...(byDefault && { names: byDefault }) };
}

function contentPlaces(parts: EngineParts): () => ContentPlaces {
  const { assetsFolder, configFolder, homeFolder, programFiles, contentFolders, settings } = parts;
  const serverNames = () => settings().servers.mapping;
  const lasting = { assetsFolder, configFolder, homeFolder, programFiles, serverNames };
  return () => ({ ...lasting, workspaceFolders: contentFolders?.() ?? [] });
}

/**
 * Everything that is a file in one of three places: what comes with Cairn, the person's, the workspace's. What reads them
 * brings YAML and many schemas along, so it is loaded with the first that is asked for.
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
