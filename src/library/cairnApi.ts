import type { Disposable } from '../base/disposable';
import type {
  AgentEvent,
  AgentHandle,
  EngineMiddleware,
  PluginAgent,
  PluginSkill,
  PluginTool,
  Provider,
  ResourceKey,
  Resources,
} from '../engine';
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

  /** A key for what tools need and that is no JSON; it is given with a run, as `resources.with(key, value)`. */
  resourceKey<T>(name: string): ResourceKey<T>;

  /** None, to begin with. */
  readonly resources: Resources;
}

export interface ApiRunRequest extends Omit<StartRequest, 'workspace'> {
  /** Shows the session in the panel. Default: no. */
  show?: boolean;
}
