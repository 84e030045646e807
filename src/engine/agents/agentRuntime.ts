import { isAbort } from '../../base/abort';
import { Emitter } from '../../base/emitter';
import { errorText } from '../../base/errorText';
import { nearest } from '../../base/nearest';
import { newId } from '../../base/newId';
import { matchesWildcard } from '../../base/wildcard';
import { TokenGauge } from '../context/tokenGauge';
import { EngineError } from '../engineError';
import type { AgentEvent } from '../events/agentEvent';
import type { RunOutcome } from '../events/runOutcome';
import { ScopedEmitter } from '../events/scopedEmitter';
import type { ProviderRegistry, ResolvedModel } from '../llm/providerRegistry';
import type { ApprovalHandler } from '../permissions/approvalHandler';
import type { AuditLog } from '../permissions/auditLog';
import { deniedOutright } from '../permissions/deniedOutright';
import type { PermissionStore } from '../permissions/permissionStore';
import { toolPolicy } from '../permissions/toolPolicy';
import { Turns } from '../permissions/turns';
import type { WorkspaceScope } from '../permissions/workspaceScope';
import type { Ports } from '../ports';
import { holdSession } from '../run/holdSession';
import { limitTime, outcomeInTime } from '../run/limitTime';
import { compactNow } from '../run/compactNow';
import { readInstructions } from '../run/readInstructions';
import { runAgent } from '../run/runAgent';
import { CallStops } from '../run/callStops';
import type { RunContext, Sampling } from '../run/runContext';
import type { RunRequest } from '../run/runRequest';
import { isShutDown, ShutDown } from '../run/shutDown';
import { Steering } from '../run/steering';
import { titleSession } from '../run/titleSession';
import { systemPrompt } from '../run/systemPrompt';
import { takeInput } from '../run/takeInput';
import type { AgentSession } from '../sessions/agentSession';
import type { EditWatcher } from '../sessions/editWatcher';
import { userMessage } from '../messages/message';
import type { SessionCatalog } from '../sessions/sessionCatalog';
import type { SessionHold } from '../sessions/sessionStore';
import type { ToolRegistry } from '../tools/toolRegistry';
import type { UserPrompter } from '../tools/userPrompter';
import type { ContentCatalog } from '../content/contentCatalog';
import type { PermissionRule } from '../permissions/permissionRule';
import type { AgentDefinition } from './agentDefinition';
import { type AgentHandle, RunHandle } from './agentHandle';

export interface AgentRuntimeParts {
  agents: ContentCatalog<AgentDefinition>;
  /** Answers where nobody chose an agent. */
  defaultAgent: string;
  sessions: SessionCatalog;
  providers: ProviderRegistry;
  tools: ToolRegistry;
  approvals: ApprovalHandler;
  prompter: UserPrompter;
  edits: EditWatcher;
  permissions: PermissionStore;
  audit: AuditLog;
  platform: string;
  scope: () => WorkspaceScope;
  defaultModel(): Promise<string>;
  ports: Ports;
}

/** Starts agents and knows which are running. One run at a time for each session; many sessions at once. */
export class AgentRuntime {
  private readonly running = new Map<string, AgentHandle>();
  private readonly background = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  private readonly gauges = new Map<string, TokenGauge>();

  constructor(private readonly parts: AgentRuntimeParts) {}

  /** Throws EngineError `invalid-state` when the session has a run under way. */
  start(request: RunRequest): AgentHandle {
    const { sessionId } = request;
    if (this.running.has(sessionId)) {
      throw new EngineError(
        'invalid-state',
        'This session has a run under way. Stop it first, or send it the message.',
      );
    }
    const { log, clock } = this.parts.ports;
    const emitter = new Emitter<AgentEvent>((error) => log.error('A listener of a run threw', error));
    const id = newId('run');
    const scope = { runId: id, sessionId, agentPath: [request.agent ?? this.parts.defaultAgent] };
    const run: RunSetUp = {
      request,
      id,
      emitter,
      scoped: new ScopedEmitter(emitter, scope, clock),
      steering: new Steering(),
      stops: new CallStops(),
      abort: new AbortController(),
      startedAt: clock.now(),
    };
    const { steering, stops, abort } = run;
    const handle = new RunHandle({ id, sessionId, emitter, steering, stops, abort }, async () => {
      // Later, so that whoever starts a run can subscribe before its first event.
      await Promise.resolve();
      return this.carryOut(run);
    });
    this.running.set(sessionId, handle);
    return handle;
  }

  runOf(sessionId: string): AgentHandle | undefined {
    return this.running.get(sessionId);
  }

  /** Cancels the run of a session that is to be deleted and forgets the session; resolves when the run is over. */
  async end(sessionId: string): Promise<void> {
    const handle = this.running.get(sessionId);
    handle?.cancel();
    await handle?.outcome;
    this.gauges.delete(sessionId);
  }

  /** Ends every run with its processes, as cut off and not as cancelled; resolves when all have ended. */
  async shutDown(): Promise<void> {
    const handles = [...this.running.values()];
    for (const handle of handles) handle.shutDown();
    this.closing.abort(new ShutDown());
    await Promise.all([...handles.map(({ outcome }) => outcome), ...this.background]);
  }

  private async carryOut(run: RunSetUp): Promise<RunOutcome> {
    const { clock, log } = this.parts.ports;
    let outcome: RunOutcome;
    let session: AgentSession | undefined;
    let hold: SessionHold | undefined;
    const time = limitTime(run.request.limits?.timeMs, run.abort, clock);
    try {
      const opened = await this.parts.sessions.open(run.request.sessionId);
      const path = [run.request.agent ?? opened.metadata.agent ?? this.parts.defaultAgent];
      const scope = { runId: run.id, sessionId: opened.id, agentPath: path };
      run.scoped = new ScopedEmitter(run.emitter, scope, clock);
      hold = await holdSession(opened, { emitter: run.scoped, clock, signal: run.abort.signal });
      session = opened;
      outcome = await this.runIn(session, run);
    } catch (error) {
      outcome = outcomeOfThrow(error);
      if (outcome.kind === 'failed' && outcome.reason === 'internal') log.error('A run failed by a defect', error);
    }
    time.dispose();
    outcome = outcomeInTime(outcome, run.abort.signal);
    if (session) await this.keepLate(session, run);
    const durationMs = clock.now() - run.startedAt;
    // Without its end the run counts as cut off, and the session offers to go on with it.
    if (!isShutDown(run.abort.signal)) {
      await session?.runFinished(run.id, outcome, durationMs).catch((error: unknown) => {
        log.error('The end of a run could not be written to its session', error);
      });
    }
    await hold?.release().catch((error: unknown) => log.warn(errorText(error)));
    this.running.delete(run.request.sessionId);
    run.scoped.emit({ type: 'run-finished', outcome, durationMs });
    if (outcome.kind === 'completed' && run.afterwards) this.inBackground(run.afterwards);
    return outcome;
  }

  /** What the person sent too late for the model to see is kept, and answered with the next run. */
  private async keepLate(session: AgentSession, { steering, scoped }: RunSetUp): Promise<void> {
    for (const input of steering.take()) {
      const message = userMessage(input, this.parts.ports.clock.now(), true);
      await session.add(message).catch((error: unknown) => {
        this.parts.ports.log.error('A message could not be written to its session', error);
      });
      scoped.emit({ type: 'message-taken', message });
    }
  }

  /** The agent that was asked for, else the session's, else the default one. */
  private async agentOf({ metadata }: AgentSession, request: RunRequest): Promise<AgentDefinition | RunOutcome> {
    const { agents, defaultAgent } = this.parts;
    const name = request.agent ?? metadata.agent ?? defaultAgent;
    const agent = await agents.find(name);
    if (agent) return agent;
    const meant = nearest(
      name,
      (await agents.list()).map((one) => one.name),
    );
    const hint = meant === undefined ? 'Choose another one.' : `Did you mean “${meant}”?`;
    return { kind: 'failed', reason: 'unknown-agent', message: `There is no agent “${name}”. ${hint}` };
  }

  private gaugeOf(sessionId: string): TokenGauge {
    const gauge = this.gauges.get(sessionId) ?? new TokenGauge();
    this.gauges.set(sessionId, gauge);
    return gauge;
  }

  private inBackground(work: (signal: AbortSignal) => Promise<void>): void {
    const done = work(this.closing.signal)
      .catch((error: unknown) => {
        // The session may have been deleted meanwhile.
        if (!isAbort(error) && !EngineError.is(error, 'not-found'))
          this.parts.ports.log.error('The session could not be named', error);
      })
      .finally(() => this.background.delete(done));
    this.background.add(done);
  }

  private resolveModel(id: string): ResolvedModel | RunOutcome {
    try {
      return this.parts.providers.resolve(id);
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      return { kind: 'failed', reason: 'unknown-model', message: error.message };
    }
  }

  private async runIn(session: AgentSession, run: RunSetUp): Promise<RunOutcome> {
    const { request, scoped } = run;
    const agent = await this.agentOf(session, request);
    if ('kind' in agent) return agent;
    const modelId = request.model ?? session.metadata.model ?? agent.model ?? (await this.parts.defaultModel());
    await session.runStarted(run.id, modelId);
    scoped.emit({ type: 'run-started', model: modelId });
    const input = { session, emitter: scoped, clock: this.parts.ports.clock };
    if (request.input !== undefined) await takeInput(input, request.input, false);
    const resolved = this.resolveModel(modelId);
    if ('kind' in resolved) return resolved;
    const { model, client } = resolved;
    session.onTodosChanged((items) => scoped.emit({ type: 'todo-changed', items }));
    const { workspace } = session.metadata;
    const { approvals, prompter, edits, permissions, audit, platform, ports, scope } = this.parts;
    const tools = offeredTo(agent, await this.offeredTools(session, scoped));
    const { trusted, folders } = scope();
    const instructions = trusted ? await readInstructions(workspace, ports) : [];
    const place = { workspace, folders, trusted, platform };
    const prompt = { agentPrompt: agent.prompt, ...place, now: run.startedAt, instructions };
    const context: RunContext = {
      approvalMode: () => request.approvalMode ?? session.metadata.approvalMode,
      ...{ runId: run.id, agent: agent.name, session, model, client, tools, workspace, approvals, prompter, ports },
      edits,
      scope,
      ...{ agentRules: rulesOf(agent), sampling: samplingOf(agent) },
      ...{
        steering: run.steering,
        stops: run.stops,
        limits: { ...agent.limits, ...request.limits },
        startedAt: run.startedAt,
        signal: run.abort.signal,
      },
      system: systemPrompt(prompt, ports.paths),
      ...{ policy: toolPolicy, permissions, audit, approvalTurns: new Turns() },
      shell: platform === 'win32' ? 'windows' : 'posix',
      gauge: this.gaugeOf(session.id),
      emitter: scoped,
    };
    const isFirst = session.messages.filter(({ role }) => role === 'user').length === 1;
    if (request.namesSession && isFirst) run.afterwards = (signal) => titleSession({ ...context, signal });
    return request.compacts ? compactNow(context) : runAgent(context);
  }

  /** What is denied whatever its arguments is not offered to the model; what is wrong with the rules is told. */
  private async offeredTools({ metadata, rules }: AgentSession, scoped: ScopedEmitter): Promise<ToolRegistry> {
    const { user, workspace, problems } = await this.parts.permissions.rulesFor(metadata.workspace);
    for (const text of problems) scoped.emit({ type: 'notice', level: 'warning', text });
    return this.parts.tools.without((tool) => deniedOutright(tool, [user, rules, workspace]));
  }
}

interface RunSetUp {
  request: RunRequest;
  id: string;
  emitter: Emitter<AgentEvent>;
  scoped: ScopedEmitter;
  steering: Steering;
  stops: CallStops;
  abort: AbortController;
  startedAt: number;
  /** What may be done when the run is over and nobody waits any more. */
  afterwards?: (signal: AbortSignal) => Promise<void>;
}

/** What an agent's own definition leaves out, or denies whatever the arguments, is not offered to the model. */
function offeredTo({ tools, rules }: AgentDefinition, all: ToolRegistry): ToolRegistry {
  return all.without(
    (tool) =>
      (tools !== null && !tools.some((pattern) => matchesWildcard(pattern, tool.name))) ||
      deniedOutright(tool, [rules]),
  );
}

/** A repository may not allow its own agents anything: there their rules only say what is offered, asked or denied. */
function rulesOf({ rules, source }: AgentDefinition): readonly PermissionRule[] {
  if (source.scope !== 'workspace') return rules;
  return rules.map((rule) => (rule.action === 'allow' ? { ...rule, defers: true } : rule));
}

function samplingOf({ temperature, topP }: AgentDefinition): Sampling {
  return { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { topP }) };
}

function outcomeOfThrow(error: unknown): RunOutcome {
  if (isAbort(error)) return { kind: 'cancelled' };
  if (!EngineError.is(error)) {
    const message = `Cairn hit a defect of its own: ${errorText(error)}. The log has the details.`;
    return { kind: 'failed', reason: 'internal', message };
  }
  return { kind: 'failed', reason: 'session', message: error.message };
}
