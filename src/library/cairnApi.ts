import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Disposable } from '../base/disposable';
import {
  type AgentEvent,
  type AgentHandle,
  type ApprovalMode,
  type Engine,
  EngineError,
  type EngineMiddleware,
  type Message,
  type ModelListing,
  type PluginAgent,
  type PluginSkill,
  type PluginTool,
  type Provider,
  type ResourceKey,
  type Resources,
  type Role,
  type RunRequest,
  type SessionMetadata,
} from '../engine';
import { checkStartRequest, type EngineRules, type OneQuestion, type ToolWrapper } from '../engine/library';

/**
 * The API that `activate()` of the extension `cairn-agents.cairn` returns to other extensions. Each registration is undone by
 * disposing the returned value; add it to your `context.subscriptions`.
 */
export interface CairnApi {
  /**
   * The API version. It follows semantic versioning: within a major version nothing is removed or changes its meaning, and
   * additions raise the minor version. Check the major version before using the rest.
   */
  readonly version: string;

  /**
   * Adds a tool for agents in runs that start from now on. The user's rules apply to it as to built-in tools, by its name, its
   * category, and what it declares that it would touch. Throws if the name is taken or a field is invalid.
   */
  registerTool(tool: PluginTool): Disposable;

  /** Adds the models of another provider, as `<id>:<name>`. Throws if the id is taken or a field is invalid. */
  registerProvider(provider: Provider): Disposable;

  /** Adds a skill, which overrides a file of the same name. Throws if the name or a field is invalid. */
  registerSkill(skill: PluginSkill): Disposable;

  /**
   * Adds an agent: a prompt or, with `loop`, a program that asks models and calls tools itself. Users can select it, and other
   * agents can start it, like any other. Throws if the name or a field is invalid.
   */
  registerAgent(agent: PluginAgent): Disposable;

  /** Subscribes to all events of all runs from now on. Errors thrown by a listener are contained. */
  onEvent(listener: (event: AgentEvent) => void): Disposable;

  /**
   * Starts a run in the open folder, in a new session or the one named. The session appears in the user's list, and approvals and
   * questions are asked there. Rejects if the session has a run in progress or does not exist.
   */
  run(request: ApiRunRequest): Promise<AgentHandle>;

  /** Returns version 2 of this API, which contains all of this one and more; both remain supported. Throws if there is no such version. */
  getApi(version: 2): CairnApi2;
}

/** The API that `getApi(2)` returns. */
export interface CairnApi2 extends Omit<CairnApi, 'getApi'> {
  /**
   * Adds a middleware between agents and models for every run in this window. It sees what is sent and may change it, and its
   * errors name it. Throws if the name is taken or a field is invalid.
   */
  use(middleware: EngineMiddleware): Disposable;

  /** Returns the runs in progress in this window, including those of agents started by other agents. */
  runs(): readonly AgentHandle[];

  /**
   * Creates a session with the contents of another one up to a checkpoint, given by the id of its event, and resolves to the new
   * id. Rejects with the reason if the session cannot be cut there.
   */
  branch(sessionId: string, from: { at: string }): Promise<string>;

  /**
   * Continues an interrupted run, or a branch. Calls that had not begun are judged and asked about as usual. Rejects if the
   * session has a run in progress or does not exist.
   */
  resume(sessionId: string): Promise<AgentHandle>;

  /** Wraps each allowed call of a tool, built-in or not, in runs that start from now on. Throws if there is no such tool. */
  wrapTool(name: string, wrapper: ToolWrapper): Disposable;

  /**
   * Replaces the tool of the same name in runs that start from now on. The replacement's own input, category and `permission`
   * apply. Throws if there is no such tool or a field is invalid.
   */
  replaceTool(tool: PluginTool): Disposable;

  /** Returns the models users can choose from, ready ones first. Waits for servers that list theirs. */
  models(signal?: AbortSignal): Promise<readonly ModelListing[]>;

  /**
   * Asks a model, given as `<provider>:<name>`, a single question, outside any session and without tools. Rejects with a sentence
   * if it does not answer.
   */
  ask(model: string, question: OneQuestion, signal?: AbortSignal): Promise<string>;

  /** Returns the roles users can choose from, including those of the open folder. */
  roles(): Promise<readonly Role[]>;

  /** The stored sessions of all folders. */
  readonly sessions: ApiSessions;

  /** The rules by which calls are judged. An added rule applies in this window until it is disposed, including to runs in progress. */
  readonly rules: Pick<EngineRules, 'add' | 'list' | 'rulesIn' | 'check'>;

  /** Creates a key for something tools need that is not JSON. Pass it with a run as `resources.with(key, value)`. */
  resourceKey<T>(name: string): ResourceKey<T>;

  /** An empty set to start from. */
  readonly resources: Resources;
}

export interface ApiSessions {
  /** Lists sessions, including those of agents started by other agents. */
  list(): Promise<readonly SessionMetadata[]>;

  /** Returns the metadata of a session. Rejects if it does not exist. */
  metadata(sessionId: string): Promise<SessionMetadata>;

  /** Returns the whole conversation, including what has been summarized since. Rejects if it does not exist. */
  messages(sessionId: string): Promise<readonly Message[]>;

  /** Shows the session in the panel. Rejects if it does not exist. */
  show(sessionId: string): Promise<void>;
}

export interface ApiRunRequest extends Omit<StartRequest, 'workspace'> {
  /** Whether to show the session in the panel. Default: false. */
  show?: boolean;
}

/** A run in a new session or an existing one. */
export interface StartRequest extends Omit<RunRequest, 'sessionId' | 'compacts' | 'approvalMode'> {
  input: NonNullable<RunRequest['input']>;
  /** The folder the agent works in. An existing session keeps its own. */
  workspace: string;
  /** An existing session to continue. */
  sessionId?: string;
  /** What requires approval. Default for a new session: edits and commands. */
  approvalMode?: ApprovalMode;
}

/**
 * Starts a run, in a new session unless one is named. Rejects with EngineError `not-found`, `not-directory`, `invalid-input` or
 * `invalid-state`.
 */
export async function startRun(engine: Engine, request: StartRequest): Promise<AgentHandle> {
  checkStartRequest(request);
  const { workspace: named, sessionId, approvalMode = 'edits-and-commands', ...run } = request;
  const { agent = null, role = null, model = null } = run;
  const opened = async () => {
    if (sessionId !== undefined) return engine.sessions.open(sessionId);
    const workspace = await folderAt(named);
    return engine.sessions.create({ workspace, model, name: null, agent, role, approvalMode });
  };
  const session = await opened();
  return engine.run({
    ...run,
    sessionId: session.id,
    ...(request.approvalMode !== undefined && { approvalMode: request.approvalMode }),
  });
}

async function folderAt(workspace: unknown): Promise<string> {
  if (typeof workspace !== 'string')
    throw new EngineError('invalid-input', 'A run needs a workspace. Pass its folder.');
  const folder = resolve(workspace);
  const found = await stat(folder).catch(() => undefined);
  if (found?.isDirectory()) return folder;
  const what = found ? 'is a file' : 'is not there';
  throw new EngineError(found ? 'not-directory' : 'not-found', `The workspace ${folder} ${what}. Pass a folder.`);
}
