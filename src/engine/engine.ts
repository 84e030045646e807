import type { Disposable } from '../base/disposable';
import { type AgentDefinition, type PluginAgent, pluginAgent } from './agents/agentDefinition';
import type { ContentAuthoring } from './authoring/contentAuthoring';
import type { TypedCommands } from './commands/typedCommands';
import type { ContentCatalog } from './content/contentCatalog';
import { EngineError } from './engineError';
import type { AgentEvent } from './events/agentEvent';
import type { OneQuestion } from './llm/askOnce';
import type { LlmFailure } from './llm/llmClient';
import { costOf, type Model } from './llm/model';
import { DEMO_PROVIDER, type ModelListing, noKeyText, type Provider } from './llm/provider';
import type { OfferedModel, ProviderRegistry } from './llm/providerRegistry';
import type { Usage } from './messages/message';
import type { ToolResult } from './messages/toolCall';
import type { AuditLog } from './permissions/auditLog';
import type { PermissionStore } from './permissions/permissionStore';
import type { Role } from './roles/role';
import type { AgentHandle } from './run/agentHandle';
import type { EngineMiddleware } from './run/hooks/engineMiddleware';
import type { MiddlewareChain } from './run/hooks/middlewareChain';
import type { RunRequest } from './run/runRequest';
import type { AgentRuntime, PromptPlace } from './runtime/agentRuntime';
import type { CallPlace } from './runtime/callTool';
import type { EffectivePrompt } from './runtime/effectivePrompt';
import type { EngineRules } from './runtime/engineRules';
import { findRole, type PlanRequest } from './runtime/runPlan';
import type { RoleQuestion, SessionQuestions } from './runtime/sessionQuestions';
import type { SessionCatalog } from './sessions/sessionCatalog';
import { type PluginSkill, pluginSkill, type ResolvedSkills, type Skill, type SkillPolicy } from './skills/skill';
import type { PluginTool, ToolWrapper } from './tools/plugin/pluginTool';
import type { BackgroundCommand, BackgroundCommands } from './tools/shell/backgroundCommands';
import type { AnyTool } from './tools/tool';
import type { RegisteredTools, ToolRegistry } from './tools/toolRegistry';

/** Answers if no agent was chosen. */
export const DEFAULT_AGENT = 'coder';

/** The parts that an Engine is made of. */
interface EngineInnards {
  agents: ContentCatalog<AgentDefinition>;
  skills: ContentCatalog<Skill>;
  roles: ContentCatalog<Role>;
  typed: TypedCommands;
  content: ContentAuthoring;
  sessions: SessionCatalog;
  tools: RegisteredTools;
  permissions: PermissionStore;
  rules: EngineRules;
  audit: AuditLog;
  runtime: AgentRuntime;
  questions: SessionQuestions;
  commands: BackgroundCommands;
  providers: ProviderRegistry;
  middleware: MiddlewareChain;
  configuredModel: () => string | undefined;
  /** Whether the tour is used if no model is ready. */
  toursByItself: boolean;
}

/** The facade of the engine: starts runs and gives access to sessions, models and tools. Created by `createEngine`. */
export class Engine {
  /** All agents that can be started, by name. */
  readonly agents: ContentCatalog<AgentDefinition>;
  readonly skills: ContentCatalog<Skill>;
  readonly roles: ContentCatalog<Role>;
  /** The commands and skills that the user may type after `/`. */
  readonly typed: TypedCommands;
  /** For code that shows, checks and writes the files of agents, skills and the like. */
  readonly content: ContentAuthoring;
  readonly sessions: SessionCatalog;
  /** The rules that outlast a session. */
  readonly permissions: PermissionStore;
  /** All rules, for programs: those given in memory, and those that are stored. */
  readonly rules: EngineRules;
  /** The log of decisions. */
  readonly audit: AuditLog;
  private readonly registered: RegisteredTools;
  private readonly runtime: AgentRuntime;
  private readonly questions: SessionQuestions;
  private readonly commands: BackgroundCommands;
  private readonly providers: ProviderRegistry;
  private readonly middleware: MiddlewareChain;
  private readonly configuredModel: () => string | undefined;
  private readonly toursByItself: boolean;

  constructor(parts: EngineInnards) {
    this.agents = parts.agents;
    this.skills = parts.skills;
    this.roles = parts.roles;
    this.typed = parts.typed;
    this.content = parts.content;
    this.sessions = parts.sessions;
    this.registered = parts.tools;
    this.permissions = parts.permissions;
    this.rules = parts.rules;
    this.audit = parts.audit;
    this.runtime = parts.runtime;
    this.questions = parts.questions;
    this.commands = parts.commands;
    this.providers = parts.providers;
    this.middleware = parts.middleware;
    this.configuredModel = parts.configuredModel;
    this.toursByItself = parts.toursByItself;
  }

  /** All tools at this moment. */
  get tools(): ToolRegistry {
    return this.registered.current;
  }

  /** Adds a tool for agents, in runs that begin from now on. Throws EngineError `exists` or `invalid-input`. */
  registerTool(tool: PluginTool | AnyTool): Disposable {
    return this.registered.register(tool);
  }

  /**
   * Replaces the tool of the same name, whether Cairn's or another's, in runs that begin from now on; the new tool's input,
   * category and permission apply. Throws EngineError `not-found` or `invalid-input`.
   */
  replaceTool(tool: PluginTool | AnyTool): Disposable {
    return this.registered.replace(tool);
  }

  /**
   * Wraps each allowed call of a tool in a function, in runs that begin from now on; one added later wraps the earlier ones.
   * Throws EngineError `not-found` or `invalid-input`.
   */
  wrapTool(name: string, wrapper: ToolWrapper): Disposable {
    return this.registered.wrap(name, wrapper);
  }

  /** Adds another provider's models. Throws EngineError `exists` or `invalid-input`. */
  registerProvider(provider: Provider): Disposable {
    return this.providers.register(provider);
  }

  /** Adds a skill, which takes precedence over files of the same name. Throws EngineError `invalid-input`. */
  registerSkill(skill: PluginSkill): Disposable {
    return this.skills.add(pluginSkill(skill));
  }

  /** Adds an agent, which takes precedence over files of the same name. Throws EngineError `invalid-input`. */
  registerAgent(agent: PluginAgent): Disposable {
    return this.agents.add(pluginAgent(agent));
  }

  /**
   * Adds a middleware between agents and models, after the existing ones, from the next message and the next question on. Throws
   * EngineError `exists` or `invalid-input`.
   */
  use(middleware: EngineMiddleware): Disposable {
    return this.middleware.add(middleware);
  }

  /** Subscribes to everything that happens in every run from now on. A listener that throws never stops a run. */
  onEvent(listener: (event: AgentEvent) => void): Disposable {
    return this.runtime.onEvent(listener);
  }

  /**
   * Throws EngineError `invalid-state` if the session has a run under way or the engine was shut down, and `invalid-input` if the
   * request is invalid. What only the run can find out, such as a missing session, is its outcome.
   */
  run(request: RunRequest): AgentHandle {
    return this.runtime.start(request);
  }

  /** The runs under way, including those of agents that others started. */
  runs(): readonly AgentHandle[] {
    return this.runtime.runs;
  }

  /**
   * Calls a tool outside of a run. The call is judged by the same rules, approved and executed as in a run, and reported through
   * `onEvent`, but no model sees it. In a workspace it gets a session, which is only kept if it contains copies of files or a
   * long output. A refusal by the rules or the user, or a failure of the tool, is a result. Rejects with EngineError
   * `invalid-input` if no such call is possible, `not-found` without the session or agent, and `invalid-state` while a run is
   * under way in the session and after `shutDown`.
   */
  callTool(tool: string, input: Readonly<Record<string, unknown>>, place: CallPlace): Promise<ToolResult> {
    return this.runtime.callTool(tool, input, place, (id) => this.deleteSession(id));
  }

  /** Returns the run under way in a session, if any. */
  runOf(sessionId: string): AgentHandle | undefined {
    return this.runtime.runOf(sessionId);
  }

  /**
   * Returns the models of the catalog and those that servers list, with ready ones first and the tour last. `onProgress` receives
   * what is known each time another provider has answered, for callers that do not want to wait for the slowest.
   */
  async models(
    signal: AbortSignal = new AbortController().signal,
    onProgress: (known: readonly ModelListing[]) => void = () => undefined,
  ): Promise<ModelListing[]> {
    const inCatalog = this.providers.models();
    let known: ModelListing[] = [];
    const answers = this.providers.providers.map(async (provider) => {
      const listed = await this.providers.listedBy(provider, signal);
      const ready = await provider.isReady();
      const own = [...inCatalog.filter((one) => one.provider === provider), ...listed];
      known = ranked([...known, ...own.map(({ model }) => listingOf(model, provider, ready))], inCatalog);
      onProgress(known);
    });
    await Promise.all(answers);
    return known;
  }

  /** Returns why providers that should have listed their models on the last attempt did not, one sentence each. */
  listProblems(): string[] {
    return this.providers.providers.flatMap((provider) => provider.listProblem?.() ?? []);
  }

  /**
   * Returns the model with this id, even an unlisted one of a known provider. Throws EngineError `invalid-input` if the id names
   * no provider.
   */
  describeModel(id: string): Model {
    return this.providers.resolve(id).model;
  }

  /** Whether a model accepts images, taking into account what its server reports. */
  async sees(modelId: string, signal: AbortSignal): Promise<boolean> {
    const { model, provider } = this.providers.resolve(modelId);
    return ((await provider.describe?.(model, signal)) ?? model).abilities.vision;
  }

  /**
   * Sends a short question to one of a provider's models, to learn whether its key works: the configured model, otherwise the
   * first one. `untried` if none of its models is known.
   */
  async tryProvider(id: string, signal: AbortSignal): Promise<LlmFailure | 'works' | 'untried'> {
    const provider = this.providers.providers.find((one) => one.id === id);
    const configured = this.configuredModel();
    const inCatalog = this.providers.models().find((one) => one.provider.id === id)?.model.id;
    const isOwn = configured?.startsWith(`${id}:`);
    const known = isOwn ? configured : (inCatalog ?? (await this.firstListed(provider, signal)));
    if (known === undefined) return 'untried';
    const { tryModel } = await import('./llm/tryModel');
    return (await tryModel(this.providers.resolve(known), signal)) ?? 'works';
  }

  /** Returns the cost of a request in USD; null if the model's prices are unknown. */
  costOf(modelId: string, usage: Usage): number | null {
    try {
      return costOf(usage, this.describeModel(modelId));
    } catch {
      // A model whose provider is gone has no prices.
      return null;
    }
  }

  private async firstListed(provider: Provider | undefined, signal: AbortSignal): Promise<string | undefined> {
    return provider && (await this.providers.listedBy(provider, signal))[0]?.model.id;
  }

  /**
   * Returns the configured model, otherwise the first model of a ready provider, otherwise the tour if `toursByItself`. Rejects
   * with EngineError `no-key` if there is none.
   */
  async defaultModel(): Promise<string> {
    const configured = this.configuredModel();
    if (configured !== undefined) return configured;
    const models = this.providers.models().filter(({ provider }) => provider.id !== DEMO_PROVIDER);
    // Each is asked once, and all at the same time: depending on where keys are stored, reading one takes time.
    const asked = new Set(models.map(({ provider }) => provider));
    const ready = new Map([...asked].map((provider) => [provider, provider.isReady()]));
    for (const { model, provider } of models) if (await ready.get(provider)) return model.id;
    // Servers are only asked now, so that a user with a key never waits for one.
    const { signal } = new AbortController();
    const listing = this.providers.providers
      .filter(({ slowToList }) => !slowToList)
      .map((provider) => this.firstListed(provider, signal));
    for (const first of await Promise.all(listing)) if (first !== undefined) return first;
    if (this.toursByItself) return `${DEMO_PROVIDER}:tour`;
    throw new EngineError('no-key', noKeyText());
  }

  /** Returns the model that would answer a request. Rejects with EngineError `invalid-input`, worded like the outcome. */
  async modelFor(request: PlanRequest & Pick<Partial<RunRequest>, 'sessionId'>): Promise<string> {
    return (await this.runtime.plan(request)).modelId;
  }

  /** Returns the agent of this name, with overrides from the environment. Rejects with EngineError `invalid-input` if there is none. */
  async agent(name: string): Promise<AgentDefinition> {
    // The model it would use does not matter here.
    return (await this.runtime.plan({ agent: name, model: '' })).agent;
  }

  /** Returns the role of this name, which may be written `%name%`. Rejects with EngineError `invalid-input` if there is none. */
  async role(name: string): Promise<Role> {
    const role = await findRole(this.roles, name);
    if (role.kind === 'found') return role.found;
    throw new EngineError('invalid-input', role.kind === 'failed' ? role.message : role.kind);
  }

  /**
   * Returns an agent's suggestions to begin with, with placeholders filled as far as their values are known. Rejects with
   * EngineError `invalid-input` if there is no such agent.
   */
  starters(agent: string, sessionId?: string): Promise<string[]> {
    return this.runtime.starters({ agent, ...(sessionId !== undefined && { sessionId }) });
  }

  /**
   * Asks a role one question, with the model that the session would use, without tools and without storing anything. Rejects with
   * EngineError `invalid-input` if there is no such role, and with a sentence if the model does not answer.
   */
  askRole(question: RoleQuestion, signal: AbortSignal): Promise<string> {
    return this.questions.askRole(question, signal);
  }

  /** Returns the lines for a part of a file; see `SessionQuestions`. */
  editSelection(...edit: Parameters<SessionQuestions['editSelection']>): Promise<string[]> {
    return this.questions.editSelection(...edit);
  }

  /**
   * Returns the skills that can be loaded in a session, or could be with `instead` as its policy. Rejects with EngineError
   * `invalid-input` if its agent or role is gone.
   */
  skillsFor(sessionId: string, instead?: SkillPolicy): Promise<ResolvedSkills> {
    return this.questions.skillsFor(sessionId, instead);
  }

  /**
   * Returns what an agent's first request would contain, including its tools, in a session or in a new one of a workspace.
   * Nothing is run or stored. Rejects with EngineError `invalid-input` if the agent could not begin.
   */
  effectivePrompt(agent: string, where: PromptPlace): Promise<EffectivePrompt> {
    return this.runtime.effectivePrompt(agent, where);
  }

  /** Asks a model one question outside of any session, without tools. Rejects with a sentence if it does not answer. */
  async ask(modelId: string, question: OneQuestion, signal = new AbortController().signal): Promise<string> {
    const { askOnce } = await import('./llm/askOnce');
    const resolved = this.middleware.at({ agentPath: [], signal }).around(this.providers.resolve(modelId));
    return askOnce(resolved, question, signal);
  }

  /**
   * Deletes a session for good, with those of the agents that it started: stops its run, ends its background commands, and
   * removes it from disk. Resolves with the ids of all deleted sessions once they are gone; deleting one that is already gone is
   * not an error. Rejects with EngineError `invalid-state` while another process runs in it, and with errors of the trash; what
   * could not be deleted stays in the list.
   */
  async deleteSession(id: string): Promise<string[]> {
    if (await this.sessions.heldElsewhere(id)) {
      const text = 'This session is running in another window. Stop it there, then delete it.';
      throw new EngineError('invalid-state', text);
    }
    await this.runtime.end(id);
    const below = (await this.sessions.list()).filter(({ parent }) => parent?.sessionId === id);
    const gone: string[] = [];
    for (const child of below) gone.push(...(await this.deleteSession(child.id)));
    await this.commands.endSession(id);
    await this.sessions.delete(id).catch((error: unknown) => {
      if (!EngineError.is(error, 'not-found')) throw error;
    });
    return [...gone, id];
  }

  /** Returns a command that an agent left running, or one that ended some time ago. */
  backgroundCommand(sessionId: string, id: string): BackgroundCommand | undefined {
    return this.commands.find(sessionId, id);
  }

  /** Ends every run with its processes, as interrupted rather than canceled; resolves once all have ended. */
  async shutDown(): Promise<void> {
    await this.runtime.shutDown();
    await this.commands.dispose();
    for (const catalog of [this.agents, this.skills, this.roles, this.typed]) catalog.dispose();
  }
}

function listingOf(model: Model, { id, label, needsKey }: Provider, ready: boolean): ModelListing {
  return { model, provider: label, ready, needsKey, scripted: id === DEMO_PROVIDER };
}

/** Sorts ready models first and the tour last, otherwise in the order of the catalog. */
function ranked(listings: readonly ModelListing[], catalog: readonly OfferedModel[]): ModelListing[] {
  const places = new Map(catalog.map(({ model }, index) => [model.id, index]));
  const rank = ({ ready, scripted }: ModelListing) => (scripted ? 2 : ready ? 0 : 1);
  const place = ({ model }: ModelListing) => places.get(model.id) ?? catalog.length;
  return [...listings].sort((a, b) => rank(a) - rank(b) || place(a) - place(b));
}
