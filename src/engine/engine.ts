import type { Disposable } from '../base/disposable';
import type { AgentDefinition } from './agents/agentDefinition';
import type { AgentHandle } from './run/agentHandle';
import type { AgentRuntime, PromptPlace } from './runtime/agentRuntime';
import type { ContentAuthoring } from './authoring/contentAuthoring';
import type { CallPlace } from './runtime/callTool';
import type { EffectivePrompt } from './runtime/effectivePrompt';
import type { EngineRules } from './runtime/engineRules';
import type { SessionQuestions } from './runtime/sessionQuestions';
import { type PluginAgent, pluginAgent } from './agents/pluginAgent';
import { findRole, type PlanRequest } from './runtime/runPlan';
import { EngineError } from './engineError';
import type { AgentEvent } from './events/agentEvent';
import type { OneQuestion } from './llm/askOnce';
import { costOf, type Model } from './llm/model';
import type { ContentCatalog } from './content/contentCatalog';
import type { LlmFailure } from './llm/llmClient';
import { DEMO_PROVIDER, type ModelListing, type Provider } from './llm/provider';
import type { OfferedModel, ProviderRegistry } from './llm/providerRegistry';
import type { Usage } from './messages/message';
import type { ToolResult } from './messages/toolResult';
import type { AuditLog } from './permissions/auditLog';
import type { PermissionStore } from './permissions/permissionStore';
import type { Role } from './roles/role';
import type { TypedCommands } from './commands/typedCommands';
import type { EngineMiddleware } from './run/hooks/engineMiddleware';
import type { MiddlewareChain } from './run/hooks/middlewareChain';
import type { RunRequest } from './run/runRequest';
import type { SessionCatalog } from './sessions/sessionCatalog';
import { type PluginSkill, pluginSkill } from './skills/pluginSkill';
import type { ResolvedSkills } from './skills/resolveSkills';
import type { Skill, SkillPolicy } from './skills/skill';
import type { BackgroundCommand, BackgroundCommands } from './tools/shell/backgroundCommands';
import type { PluginTool } from './tools/plugin/pluginTool';
import { noKeyText } from './llm/providers/providerKeys';
import type { ToolWrapper } from './tools/plugin/wrappedTool';
import type { RegisteredTools } from './tools/registeredTools';
import type { AnyTool } from './tools/tool';
import type { ToolRegistry } from './tools/toolRegistry';

/** Answers where nobody chose an agent. */
export const DEFAULT_AGENT = 'coder';

/** What an Engine is put together from. */
export interface EngineInnards {
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
  /** Whether the tour stands in where no model is ready. */
  toursByItself: boolean;
}

/** The face of the engine: start runs, reach sessions, models and tools. Made by `createEngine`. */
export class Engine {
  /** Every agent that can be started, by name. */
  readonly agents: ContentCatalog<AgentDefinition>;
  readonly skills: ContentCatalog<Skill>;
  readonly roles: ContentCatalog<Role>;
  /** What a person may type after `/`. */
  readonly typed: TypedCommands;
  /** For those who show, check and write their files. */
  readonly content: ContentAuthoring;
  readonly sessions: SessionCatalog;
  /** The rules that last longer than a session. */
  readonly permissions: PermissionStore;
  /** All rules, for programs: those given in memory, and those that are kept. */
  readonly rules: EngineRules;
  /** Where decisions are kept. */
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

  /** Every tool that there is at this moment. */
  get tools(): ToolRegistry {
    return this.registered.current;
  }

  /** Gives agents another tool, in runs that begin from now on. Throws EngineError `exists` or `invalid-input`. */
  registerTool(tool: PluginTool | AnyTool): Disposable {
    return this.registered.register(tool);
  }

  /**
   * Puts a tool in the place of the one that has its name, ours or another's, in runs that begin from now on; its own input,
   * category and permission hold. Throws EngineError `not-found` or `invalid-input`.
   */
  replaceTool(tool: PluginTool | AnyTool): Disposable {
    return this.registered.replace(tool);
  }

  /**
   * Has a function stand around each call of a tool that was allowed, in runs that begin from now on; one that is added later
   * stands outside of those before. Throws EngineError `not-found` or `invalid-input`.
   */
  wrapTool(name: string, wrapper: ToolWrapper): Disposable {
    return this.registered.wrap(name, wrapper);
  }

  /** Makes another provider's models known. Throws EngineError `exists` or `invalid-input`. */
  registerProvider(provider: Provider): Disposable {
    return this.providers.register(provider);
  }

  /** Adds a skill, which wins over files of the same name. Throws EngineError `invalid-input`. */
  registerSkill(skill: PluginSkill): Disposable {
    return this.skills.add(pluginSkill(skill));
  }

  /** Adds an agent, which wins over files of the same name. Throws EngineError `invalid-input`. */
  registerAgent(agent: PluginAgent): Disposable {
    return this.agents.add(pluginAgent(agent));
  }

  /**
   * Puts a middleware between agents and models, behind those that are there already, from the next message and the next
   * question on. Throws EngineError `exists` or `invalid-input`.
   */
  use(middleware: EngineMiddleware): Disposable {
    return this.middleware.add(middleware);
  }

  /** Everything that happens in every run from now on. A listener that throws never stops a run. */
  onEvent(listener: (event: AgentEvent) => void): Disposable {
    return this.runtime.onEvent(listener);
  }

  /**
   * Throws EngineError `invalid-state` when the session has a run under way or the engine was shut down, and `invalid-input` when
   * the request does not fit. What only the run can find out, such as a session that is not there, is its outcome.
   */
  run(request: RunRequest): AgentHandle {
    return this.runtime.start(request);
  }

  /** The runs under way, also of agents that others started. */
  runs(): readonly AgentHandle[] {
    return this.runtime.runs;
  }

  /**
   * Calls a tool outside of a run: judged by the same rules, asked about and carried out as in one, and told by `onEvent`; no
   * model hears of it. In a workspace it has a session of its own, which stays only where copies of files or a long output are
   * in it. What the rules or a person refuse, and what the tool cannot do, is a result. Rejects with EngineError
   * `invalid-input` when there could be no such call, `not-found` without the session or agent, and `invalid-state` while a
   * run is under way in the session and after `shutDown`.
   */
  callTool(tool: string, input: Readonly<Record<string, unknown>>, place: CallPlace): Promise<ToolResult> {
    return this.runtime.callTool(tool, input, place, (id) => this.deleteSession(id));
  }

  /** The run under way in a session. */
  runOf(sessionId: string): AgentHandle | undefined {
    return this.runtime.runOf(sessionId);
  }

  /**
   * The models of the catalog and those that servers list, those that are ready first; the tour is last. `onProgress` is
   * told what is known whenever another provider has answered, for those who do not want to wait for the slowest.
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

  /** Of providers that should have listed their models when they were last asked and did not: why, a sentence each. */
  listProblems(): string[] {
    return this.providers.providers.flatMap((provider) => provider.listProblem?.() ?? []);
  }

  /** Throws EngineError `invalid-input` when the id names no provider; an unlisted model of a known one is described. */
  describeModel(id: string): Model {
    return this.providers.resolve(id).model;
  }

  /** Whether a model takes pictures, also by what its server says of it. */
  async sees(modelId: string, signal: AbortSignal): Promise<boolean> {
    const { model, provider } = this.providers.resolve(modelId);
    return ((await provider.describe?.(model, signal)) ?? model).abilities.vision;
  }

  /**
   * Asks one of a provider's models something short, to learn whether its key works: the configured one, else its first.
   * `untried` when no model of it is known.
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

  /** What a request cost, in USD; null when the model's prices are not known. */
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
   * The configured model, else the first model of a provider that is ready, else the tour where a person sees what it is.
   * Rejects with EngineError `no-key` when there is none.
   */
  async defaultModel(): Promise<string> {
    const configured = this.configuredModel();
    if (configured !== undefined) return configured;
    const models = this.providers.models().filter(({ provider }) => provider.id !== DEMO_PROVIDER);
    // Each is asked once, and all together: where keys are kept, reading one takes its time.
    const asked = new Set(models.map(({ provider }) => provider));
    const ready = new Map([...asked].map((provider) => [provider, provider.isReady()]));
    for (const { model, provider } of models) if (await ready.get(provider)) return model.id;
    // Servers are asked only now, so that nobody who has a key waits for one.
    const { signal } = new AbortController();
    const listing = this.providers.providers
      .filter(({ slowToList }) => !slowToList)
      .map((provider) => this.firstListed(provider, signal));
    for (const first of await Promise.all(listing)) if (first !== undefined) return first;
    if (this.toursByItself) return `${DEMO_PROVIDER}:tour`;
    throw new EngineError('no-key', noKeyText());
  }

  /** The model that a request would be answered by. Rejects with EngineError `invalid-input`, in the words of the outcome. */
  async modelFor(request: PlanRequest & Pick<Partial<RunRequest>, 'sessionId'>): Promise<string> {
    return (await this.runtime.plan(request)).modelId;
  }

  /** The agent of that name, with what the environment changes in it. Rejects with EngineError `invalid-input` without one. */
  async agent(name: string): Promise<AgentDefinition> {
    // Which model it would have is not asked here.
    return (await this.runtime.plan({ agent: name, model: '' })).agent;
  }

  /** The role of that name, also written `%name%`. Rejects with EngineError `invalid-input` when there is none. */
  async role(name: string): Promise<Role> {
    const role = await findRole(this.roles, name);
    if (role.kind === 'found') return role.found;
    throw new EngineError('invalid-input', role.kind === 'failed' ? role.message : role.kind);
  }

  /**
   * What an agent proposes to begin with, its placeholders filled as far as their values are known. Rejects with EngineError
   * `invalid-input` when there is no such agent.
   */
  starters(agent: string, sessionId?: string): Promise<string[]> {
    return this.runtime.starters({ agent, ...(sessionId !== undefined && { sessionId }) });
  }

  /**
   * One question to a role, by the model that the session would have, without tools and kept nowhere. Rejects with
   * EngineError `invalid-input` when there is no such role, and with a sentence when the model does not answer.
   */
  askRole(question: { role: string; text: string; sessionId: string }, signal: AbortSignal): Promise<string> {
    return this.questions.askRole(question, signal);
  }

  /** The lines for a part of a file, as `SessionQuestions` says. */
  editSelection(...edit: Parameters<SessionQuestions['editSelection']>): Promise<string[]> {
    return this.questions.editSelection(...edit);
  }

  /**
   * The skills that may be loaded in a session, or could be if it said `instead` of them. Rejects with EngineError
   * `invalid-input` when its agent or role is gone.
   */
  skillsFor(sessionId: string, instead?: SkillPolicy): Promise<ResolvedSkills> {
    return this.questions.skillsFor(sessionId, instead);
  }

  /**
   * What an agent would be told, and with which tools, by its first request in a session, or in a new one of a workspace.
   * Nothing is run or kept. Rejects with EngineError `invalid-input` when the agent could not begin.
   */
  effectivePrompt(agent: string, where: PromptPlace): Promise<EffectivePrompt> {
    return this.runtime.effectivePrompt(agent, where);
  }

  /** One question to a model outside of any session, without tools. Rejects with a sentence when it does not answer. */
  async ask(modelId: string, question: OneQuestion, signal = new AbortController().signal): Promise<string> {
    const { askOnce } = await import('./llm/askOnce');
    const resolved = this.middleware.at({ agentPath: [], signal }).around(this.providers.resolve(modelId));
    return askOnce(resolved, question, signal);
  }

  /**
   * Deletes a session for good, with those of the agents that it started: stops its run, ends the commands it left in the
   * background, and removes it from disk. Resolves with the ids of all that went once they are gone; deleting one that is
   * gone already is no error. Rejects with EngineError `invalid-state` while another process runs in it, and with what the
   * trash says; what is not gone then stays in the list.
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

  /** One that an agent left running, or that ended a while ago. */
  backgroundCommand(sessionId: string, id: string): BackgroundCommand | undefined {
    return this.commands.find(sessionId, id);
  }

  /** Ends every run with its processes, as cut off and not as cancelled; resolves when all have ended. */
  async shutDown(): Promise<void> {
    await this.runtime.shutDown();
    await this.commands.dispose();
    for (const catalog of [this.agents, this.skills, this.roles, this.typed]) catalog.dispose();
  }
}

function listingOf(model: Model, { id, label, needsKey }: Provider, ready: boolean): ModelListing {
  return { model, provider: label, ready, needsKey, scripted: id === DEMO_PROVIDER };
}

/** Those that are ready first, the tour last, and otherwise as the catalog has them. */
function ranked(listings: readonly ModelListing[], catalog: readonly OfferedModel[]): ModelListing[] {
  const places = new Map(catalog.map(({ model }, index) => [model.id, index]));
  const rank = ({ ready, scripted }: ModelListing) => (scripted ? 2 : ready ? 0 : 1);
  const place = ({ model }: ModelListing) => places.get(model.id) ?? catalog.length;
  return [...listings].sort((a, b) => rank(a) - rank(b) || place(a) - place(b));
}
