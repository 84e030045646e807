import { Mutex } from '../../base/async';
import type { Emitter } from '../../base/disposable';
import { newId } from '../../base/newId';
import type { AgentDefinition } from '../agents/agentDefinition';
import { EngineError } from '../engineError';
import type { AgentEvent, UserPrompter } from '../events/agentEvent';
import { ScopedEmitter } from '../events/scopedEmitter';
import type { ToolCall, ToolResult } from '../messages/toolCall';
import { type WorkMode, workModeOf } from '../permissions/modes';
import { toolPolicy } from '../permissions/toolPolicy';
import type { PromptAndTools } from '../prompt/promptAndTools';
import { CallStops } from '../run/interrupts';
import { RepeatGuard } from '../run/repeatGuard';
import type { Calling, RunPlace, RunTeam } from '../run/runContext';
import { settleCall } from '../run/runToolCalls';
import { SentResults } from '../run/sentResults';
import type { AgentSession } from '../sessions/agentSession';
import { checkMetadata, type RunMetadata } from '../tools/hiddenContext';
import { type ParsedCall, parseToolCall } from '../tools/parseToolCall';
import { Resources } from '../tools/resources';
import type { TeamDesk } from '../tools/team/teamDesk';
import { ToolFailure } from '../tools/toolOutput';
import type { ToolRegistry } from '../tools/toolRegistry';
import type { AgentRuntimeParts } from './agentRuntimeParts';
import { type CheckPlace, rootOf } from './checkCall';
import { equipAgent, rulesOf } from './equipAgent';
import type { RunPlan } from './runPlan';
import { toolsForProgram } from './toolsAtHand';

/** Where a tool is called outside a run, and what is passed to it. */
export type CallPlace = CheckPlace & {
  /** Data for the tool, not stored anywhere. */
  metadata?: RunMetadata;
  resources?: Resources;
  /** Overrides the session's mode. */
  workMode?: WorkMode;
  /** Cancels the call. */
  signal?: AbortSignal;
};

/** What the runtime provides to a call. */
export interface CallShared {
  parts: AgentRuntimeParts;
  told: Emitter<AgentEvent>;
  /** Aborts when the engine is shut down. */
  closing: AbortSignal;
  /** Determines the agent whose rules apply. */
  planOf: (place: CallPlace) => Promise<RunPlan>;
  /** Deletes a session with everything that belongs to it. */
  removeSession: (id: string) => Promise<unknown>;
}

/**
 * Calls a tool outside a run. The call is parsed, judged, approved, and carried out as in a run, but no model is told. Rejects
 * with EngineError `invalid-input` if no such call is possible, `not-found` if there is no such session, and `invalid-state`
 * while a run is in progress in it.
 */
export async function callTool(
  shared: CallShared,
  name: string,
  input: Readonly<Record<string, unknown>>,
  place: CallPlace,
): Promise<ToolResult> {
  const { parts } = shared;
  if (place.metadata) checkMetadata(place.metadata);
  const call = { id: newId('call'), name, arguments: JSON.stringify(input) };
  await parts.ports.secretsKnown?.();
  const existing = 'sessionId' in place ? await parts.sessions.open(place.sessionId) : undefined;
  const plan = await shared.planOf(place);
  const where = 'workspace' in place ? place.workspace : (existing?.metadata.workspace ?? '');
  const tools = await toolsForProgram(parts, where, plan);
  const parsed = parseToolCall(call, tools);
  if (parsed instanceof Error) throw new EngineError('invalid-input', parsed.message);
  checkKind(parsed);
  if (!('workspace' in place))
    return within(shared, existing ?? (await parts.sessions.open(place.sessionId)), { call, plan, place, tools });
  const { approvalMode = 'edits-and-commands', workspace } = place;
  const made = { workspace, model: null, name: null, agent: plan.agent.name, approvalMode };
  const session = await parts.sessions.create(made);
  try {
    return await within(shared, session, { call, plan, place, tools });
  } finally {
    if (await keepsSomething(session, parts)) await parts.sessions.rename(session.id, parsed.bound.title || name);
    else await shared.removeSession(session.id);
  }
}

interface Called {
  call: ToolCall;
  plan: RunPlan;
  place: CallPlace;
  tools: ToolRegistry;
}

/** Rejects tools that act on the run they are called in. */
function checkKind({ tool }: ParsedCall): void {
  const { kind } = tool.traits ?? {};
  if (kind !== 'team' && kind !== 'skills') return;
  const text = `${tool.name} works only within a run. Start one with engine.run(), or call another tool.`;
  throw new EngineError('invalid-input', text);
}

async function within(shared: CallShared, session: AgentSession, called: Called): Promise<ToolResult> {
  const hold = await session.hold();
  if (!hold) {
    const text = 'This session is running in another window or program. Call the tool when that run has ended.';
    throw new EngineError('invalid-state', text);
  }
  try {
    return await settleCall(await callingIn(shared, session, called), called.call);
  } finally {
    await hold.release();
  }
}

async function callingIn(
  { parts, told, closing }: CallShared,
  session: AgentSession,
  { plan: { agent, variables }, place, tools }: Called,
): Promise<Calling> {
  const { ports, machine } = parts;
  const runId = newId('run');
  const scope = { runId, sessionId: session.id, agentPath: [agent.name] };
  const emitter = new ScopedEmitter(told, scope, ports.clock, ports);
  const root = { runId, session: await rootOf(session, parts.sessions) };
  const { resources = Resources.none, signal } = place;
  const { parent, own } = session.metadata;
  const at: RunPlace = {
    runId,
    agent: agent.name,
    workspace: session.metadata.workspace,
    session,
    emitter,
    ports,
    signal: signal ? AbortSignal.any([signal, closing]) : closing,
    promptAndTools: await everyTool(parts, agent, variables.values, { session, emitter, tools }),
    team: teamOfNobody(parts.prompter),
    progress: { turn: 0 },
  };
  return {
    ...at,
    permissions: parts.permissions,
    agentRules: rulesOf(agent),
    root,
    scope: parts.scope,
    ...modesOf(place, root.session, agent),
    policy: toolPolicy,
    audit: parts.audit,
    approvals: parts.approvals,
    approvalTurns: new Mutex(),
    shell: machine.platform === 'win32' ? 'windows' : 'posix',
    hidden: {
      runId,
      parentSessionId: parent?.sessionId ?? null,
      metadata: { ...parts.metadata, ...own, ...place.metadata },
      resources: resources.before(parts.resources),
    },
    looking: agent.looking,
    toolErrors: agent.toolErrors ?? parts.toolErrors,
    edits: parts.edits,
    stops: new CallStops(),
    sent: new NothingSent(),
    repeats: new RepeatGuard(),
  };
}

function modesOf(
  place: CallPlace,
  session: AgentSession,
  agent: AgentDefinition,
): Pick<Calling, 'approvalMode' | 'workMode'> {
  return {
    approvalMode: () => place.approvalMode ?? session.metadata.approvalMode,
    workMode: () => workModeOf(place, session, agent),
  };
}

/** Provides every tool, since a program may call any; the agent's rules apply when the call is judged. */
async function everyTool(
  parts: AgentRuntimeParts,
  agent: AgentDefinition,
  variables: ReadonlyMap<string, string>,
  { session, emitter, tools }: Pick<RunPlace, 'session' | 'emitter'> & { tools: ToolRegistry },
): Promise<PromptAndTools> {
  const free: AgentDefinition = { ...agent, tools: null, toolNames: 'cairn', rules: [], preloadedSkills: [] };
  const nothing = { chosen: true, role: undefined, modelId: '', sampling: {}, problems: [] };
  const plan: RunPlan = {
    ...nothing,
    kind: 'planned',
    onlyTools: null,
    agent: free,
    autoContinue: { on: false, max: 0, injects: false },
    variables: { values: new Map(variables), missing: [] },
  };
  return equipAgent(parts, {
    plan,
    variables,
    session,
    tools,
    place: parts.scope(),
    workMode: 'agent',
    now: parts.ports.clock.now(),
    emitter,
    team: { targets: [], isChild: false, atBottom: true },
  });
}

/** There is no handle through which a result could be sent. */
class NothingSent extends SentResults {
  override around(callId: string): Promise<never> {
    const text = `The call ${callId} is of a tool that answers later, which only a run can wait for. Nothing was started.`;
    return Promise.reject(new ToolFailure('failed', text));
  }
}

/** Whether the session contains checkpoints, or an output that the result refers to. */
async function keepsSomething(session: AgentSession, { ports }: AgentRuntimeParts): Promise<boolean> {
  const hasCopies = session.history.some(({ type }) => type === 'file-changed');
  return hasCopies || (await ports.files.find(ports.paths.resolve(session.folder, 'outputs'))) !== undefined;
}

/** Stands in for the team outside a run: no agents can be started, and questions go to the user. */
function teamOfNobody(prompter: UserPrompter): RunTeam {
  return {
    desk: deskOfNobody(),
    ask: (question, signal) => prompter.ask(question, signal),
    called: () => undefined,
    takeNews: () => [],
    beforeEnd: () => Promise.resolve(null),
    endRunning: () => Promise.resolve(),
    spending: {
      takeTurn: () => undefined,
      request: () => Promise.reject(new EngineError('invalid-state', 'Models can be asked only within a run.')),
    },
  };
}

function deskOfNobody(): TeamDesk {
  const refuse = () => {
    throw new ToolFailure('failed', 'Other agents are available only within a run. Start a run instead.');
  };
  const reject = () => Promise.reject(new ToolFailure('failed', 'Agents can be started only within a run.'));
  const tasks = { createTask: reject, completeTask: reject, failTask: reject, tasks: () => [] };
  const waits = { spawn: reject, check: reject, collect: reject, wait: reject, cancel: reject };
  return Object.assign(waits, tasks, {
    list: () => ({ active_count: 0, max_concurrent: 0, agents: [] }),
    available: () => Promise.resolve([]),
    send: refuse,
    inbox: () => [],
    reply: refuse,
  });
}
