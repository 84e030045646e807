import type { Disposable } from '../base/disposable';
import type {
  AgentEvent,
  AgentHandle,
  EngineMiddleware,
  Message,
  ModelListing,
  PluginAgent,
  PluginSkill,
  PluginTool,
  Provider,
  ResourceKey,
  Resources,
  Role,
  SessionMetadata,
} from '../engine';
import type { EngineRules, OneQuestion, ToolWrapper } from '../engine/library';
import type { StartRequest } from './startRun';

/**
 * What `activate()` of the extension `cairn-agents.cairn` gives to other extensions. Everything that is registered is taken
 * back by disposing what the method gives; put that into your `context.subscriptions`.
 */
export interface CairnApi {
  /**
   * By semantic versioning: within one major version nothing is taken away and nothing means something else, and what is
   * new raises the minor version. Look at the major version before you use the rest.
   */
  readonly version: string;

  /**
   * Gives agents another tool, in runs that begin from now on. The person's rules hold for it as for ours, by its name, its
   * category and what it says that it would touch. Throws when the name is taken or a field does not fit.
   */
  registerTool(tool: PluginTool): Disposable;

  /** Makes the models of another provider known, as `<id>:<name>`. Throws when the id is taken or a field does not fit. */
  registerProvider(provider: Provider): Disposable;

  /** Adds a skill; it wins over a file of the same name. Throws when the name or a field does not fit. */
  registerSkill(skill: PluginSkill): Disposable;

  /**
   * Adds an agent: a prompt, or with `loop` a program that asks models and calls tools as it sees fit. People choose it and
   * other agents start it as any other. Throws when the name or a field does not fit.
   */
  registerAgent(agent: PluginAgent): Disposable;

  /** Tells everything that happens in every run from now on. What a listener throws stops nobody. */
  onEvent(listener: (event: AgentEvent) => void): Disposable;

  /**
   * Starts a run in the open folder, in a session of its own or the one named, which people find among their sessions;
   * approvals and questions are asked there. Rejects when the session has a run under way, or is not there.
   */
  run(request: ApiRunRequest): Promise<AgentHandle>;

  /** Version 2 of this API, with all that this one has and more; both go on working. Throws where there is no such version. */
  getApi(version: 2): CairnApi2;
}

/** What `getApi(2)` gives. */
export interface CairnApi2 extends Omit<CairnApi, 'getApi'> {
  /**
   * Puts a middleware between agents and models, for every run in this window: it sees what is sent, may change it, and is
   * named where it fails. Throws when there is one of that name or a field does not fit.
   */
  use(middleware: EngineMiddleware): Disposable;

  /** The runs under way in this window, also of agents that others started. */
  runs(): readonly AgentHandle[];

  /**
   * A new session with what one had at a checkpoint, by the id of its event; gives its id. Rejects when it cannot be cut there,
   * with the reason.
   */
  branch(sessionId: string, from: { at: string }): Promise<string>;

  /**
   * Goes on with a run that was cut off, or with a branch. Calls that had not begun are asked about as usual. Rejects when the
   * session has a run under way, or is not there.
   */
  resume(sessionId: string): Promise<AgentHandle>;

  /**
   * Has a function stand around each call of a tool that was allowed, ours or another's, in runs that begin from now on. Throws
   * when there is no such tool.
   */
  wrapTool(name: string, wrapper: ToolWrapper): Disposable;

  /**
   * Puts a tool in the place of the one that has its name, in runs that begin from now on. Its own input, category and
   * `permission` hold. Throws when there is no such tool or a field does not fit.
   */
  replaceTool(tool: PluginTool): Disposable;

  /** The models that people can choose, those that are ready first. Waits for servers that list theirs. */
  models(signal?: AbortSignal): Promise<readonly ModelListing[]>;

  /**
   * One question to a model, as `<provider>:<name>`, outside of any session and without tools. Rejects with a sentence when it
   * does not answer.
   */
  ask(model: string, question: OneQuestion, signal?: AbortSignal): Promise<string>;

  /** The roles that people can choose, those of the open folder among them. */
  roles(): Promise<readonly Role[]>;

  /** The sessions that are kept, of all folders. */
  readonly sessions: ApiSessions;

  /** The rules by which calls are judged. One that is added holds in this window until it is taken back, also in runs under way. */
  readonly rules: Pick<EngineRules, 'add' | 'list' | 'rulesIn' | 'check'>;

  /** A key for what tools need and that is no JSON; it is given with a run, as `resources.with(key, value)`. */
  resourceKey<T>(name: string): ResourceKey<T>;

  /** None, to begin with. */
  readonly resources: Resources;
}

export interface ApiSessions {
  /** Those of agents that others started among them. */
  list(): Promise<readonly SessionMetadata[]>;

  /** What is known of one. Rejects when it is not there. */
  metadata(sessionId: string): Promise<SessionMetadata>;

  /** The whole conversation, also what was summarised since. Rejects when it is not there. */
  messages(sessionId: string): Promise<readonly Message[]>;

  /** Shows it in the panel. Rejects when it is not there. */
  show(sessionId: string): Promise<void>;
}

export interface ApiRunRequest extends Omit<StartRequest, 'workspace'> {
  /** Shows the session in the panel. Default: no. */
  show?: boolean;
}
