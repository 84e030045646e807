import { isAbort } from '../../base/abort';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { errorText } from '../../base/errorText';
import { newId } from '../../base/newId';
import { fillTemplate } from '../../base/template';
import { specialVariables } from '../content/specialVariables';
import { TokenGauge } from '../context/tokenGauge';
import { EngineError } from '../engineError';
import type { AgentEvent } from '../events/agentEvent';
import type { RunOutcome } from '../events/runOutcome';
import { ScopedEmitter } from '../events/scopedEmitter';
import { askOnce } from '../llm/askOnce';
import type { ProviderRegistry, ResolvedModel } from '../llm/providerRegistry';
import type { ApprovalHandler } from '../permissions/approvalHandler';
import type { AuditLog } from '../permissions/auditLog';
import { deniedOutright } from '../permissions/deniedOutright';
import type { PermissionStore } from '../permissions/permissionStore';
import { Turns } from '../permissions/turns';
import type { WorkspaceScope } from '../permissions/workspaceScope';
import type { Ports } from '../ports';
import { holdSession } from '../run/holdSession';
import { limitTime, outcomeInTime } from '../run/limitTime';
import { CallStops } from '../run/callStops';
import type { RunContext } from '../run/runContext';
import type { RunRequest } from '../run/runRequest';
import { isShutDown, ShutDown } from '../run/shutDown';
import type { RunLimits } from '../run/stopConditions';
import { Steering } from '../run/steering';
import { takeInput } from '../run/takeInput';
import type { AgentSession } from '../sessions/agentSession';
import type { EditWatcher } from '../sessions/editWatcher';
import { userMessage } from '../messages/message';
import type { SessionCatalog } from '../sessions/sessionCatalog';
import type { SessionHold } from '../sessions/sessionStore';
import type { RegisteredTools } from '../tools/registeredTools';
import type { ToolRegistry } from '../tools/toolRegistry';
import type { UserPrompter } from '../tools/userPrompter';
import { type AgentHandle, RunHandle } from './agentHandle';
import { askForVariables, missingText } from './agentVariables';
import { keepVariables } from './keepVariables';
import { outcomeOfThrow } from './outcomeOfThrow';
import type { EquipParts } from './equipAgent';
import { planRun, type PlanRequest, type RunPlan, type RunPlanParts } from './runPlan';
import type { Lineage, TeamMember } from './team/teamMember';

export interface AgentRuntimeParts extends RunPlanParts, EquipParts {
  sessions: SessionCatalog;
  providers: ProviderRegistry;
  tools: RegisteredTools;
  approvals: ApprovalHandler;
  prompter: UserPrompter;
  edits: EditWatcher;
  permissions: PermissionStore;
  audit: AuditLog;
  scope: () => WorkspaceScope;
  ports: Ports;
}

/** Starts agents and knows which are running. One run at a time for each session; many sessions at once. */
export class AgentRuntime {
  private readonly running = new Map<string, AgentHandle>();
  private readonly told: Emitter<AgentEvent>;
  private readonly background = new Set<Promise<void>>();
  private readonly closing = new AbortController();
  private readonly gauges = new Map<string, TokenGauge>();

  constructor(private readonly parts: AgentRuntimeParts) {
    this.told = new Emitter((error) => parts.ports.log.error('A listener of all runs threw', error));
  }

  /** Everything that happens in every run from now on. */
  onEvent(listener: (event: AgentEvent) => void): Disposable {
    return this.told.on(listener);
  }

  /** `lineage`: of an agent that another one starts. Throws EngineError `invalid-state` when the session has a run under way. */
  start(request: RunRequest, lineage?: Lineage): AgentHandle {
    const { sessionId } = request;
    if (this.running.has(sessionId)) {
      throw new EngineError(
        'invalid-state',
        'This session has a run under way. Stop it first, or send it the message.',
      );
    }
    const { log, clock } = this.parts.ports;
    const emitter = new Emitter<AgentEvent>((error) => log.error('A listener of a run threw', error));
    // What those do that another agent started is told by its run.
    if (!lineage) emitter.on((event) => this.told.emit(event));
    const id = newId('run');
    const above = lineage?.parent.path ?? [];
    const scope = { runId: id, sessionId, agentPath: [...above, request.agent ?? this.parts.defaultAgent] };
    const run: RunSetUp = {
      request,
      id,
      emitter,
      scoped: new ScopedEmitter(emitter, scope, clock),
      steering: new Steering(),
      stops: new CallStops(),
      abort: new AbortController(),
      startedAt: clock.now(),
      above,
      lineage,
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

  /** How a request would be carried out. Rejects with EngineError `invalid-input` when it cannot be. */
  async plan(request: PlanRequest & { sessionId?: string }): Promise<RunPlan> {
    const { sessionId } = request;
    const session = sessionId === undefined ? NO_SESSION : (await this.parts.sessions.open(sessionId)).metadata;
    const plan = await planRun(this.parts, request, session);
    if (!('kind' in plan)) return plan;
    throw new EngineError('invalid-input', plan.kind === 'failed' ? plan.message : plan.kind);
  }

  /** What the agent proposes to begin with. */
  async starters(request: PlanRequest & { sessionId?: string }): Promise<string[]> {
    const { agent, variables } = await this.plan(request);
    const [workspace = ''] = this.parts.scope().folders;
    const facts = {
      ...this.parts.machine,
      workspace,
      now: this.parts.ports.clock.now(),
      tools: this.parts.tools.current.all,
    };
    const special = specialVariables(facts);
    const values = { get: (name: string) => variables.values.get(name) ?? special.get(name) };
    return agent.starters.map((text) => fillTemplate(text, values));
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
      const path = [...run.above, run.request.agent ?? opened.metadata.agent ?? this.parts.defaultAgent];
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
    await run.team?.endAll();
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
    const { lineage } = run;
    const parts = lineage ? { ...this.parts, defaultModel: () => Promise.resolve(lineage.parent.modelId) } : this.parts;
    const plan = await planRun(parts, request, session.metadata);
    if ('kind' in plan) return plan;
    await session.runStarted(run.id, plan.modelId);
    scoped.emit({ type: 'run-started', model: plan.modelId });
    const input = { session, emitter: scoped, clock: this.parts.ports.clock };
    if (request.input !== undefined) await takeInput(input, request.input, false);
    const resolved = this.resolveModel(plan.modelId);
    if ('kind' in resolved) return resolved;
    const asking = { prompter: this.parts.prompter, emitter: scoped, sessionId: session.id, signal: run.abort.signal };
    const { values, missing } = await askForVariables(plan.agent, plan.variables, asking);
    await keepVariables(session, request, plan, values);
    if (missing.length > 0) {
      return { kind: 'failed', reason: 'configuration', message: missingText(plan.agent, missing) };
    }
    const { compactNow, runAgent, runLoop, titleSession } = await import('./runParts');
    const context = await this.contextOf(session, run, { plan, resolved, variables: values });
    session.onTodosChanged((items) => {
      scoped.emit({ type: 'todo-changed', items });
      if (items.length === 0) context.autoContinue.reset();
    });
    const isFirst = session.messages.filter(({ role }) => role === 'user').length === 1;
    if (request.namesSession && isFirst) run.afterwards = (signal) => titleSession({ ...context, signal });
    if (request.compacts) return compactNow(context);
    const { loop } = plan.agent;
    return loop ? runLoop(context, loop, request.input) : runAgent(context);
  }

  private async contextOf(
    session: AgentSession,
    run: RunSetUp,
    { plan, resolved, variables }: { plan: RunPlan; resolved: ResolvedModel; variables: ReadonlyMap<string, string> },
  ): Promise<RunContext> {
    const { request, scoped } = run;
    const { AutoContinue, equipAgent, RepeatGuard, rulesOf, toolPolicy } = await import('./runParts');
    const { approvals, prompter, edits, permissions, audit, machine, ports, scope } = this.parts;
    const { agent, autoContinue, role, sampling } = plan;
    const { workspace } = session.metadata;
    const tools = await this.offeredTools(run.lineage?.parent.shared.session ?? session, scoped);
    const limits = { ...agent.limits, ...request.limits };
    const team = await this.teamOf(session, run, { plan, resolved, variables, limits });
    const equipment = await equipAgent(this.parts, {
      ...{ plan, variables, session, tools, now: run.startedAt, emitter: scoped, team: await team.place() },
      place: scope(),
    });
    return {
      approvalMode: () => team.shared.approvalMode(),
      ...{ team, ruleSession: team.shared.session, approvalTurns: team.shared.approvalTurns },
      ...{ runId: run.id, agent: agent.name, session, model: resolved.model, client: resolved.client, workspace },
      ...{ equipment, variables, autoContinue: new AutoContinue(autoContinue), answersCode: role?.answer === 'code' },
      ...{ approvals, prompter, ports, edits, scope, agentRules: rulesOf(agent), sampling },
      ...{ steering: run.steering, stops: run.stops, startedAt: run.startedAt, signal: run.abort.signal },
      repeats: new RepeatGuard(),
      ...{ limits, policy: toolPolicy, permissions, audit },
      shell: machine.platform === 'win32' ? 'windows' : 'posix',
      gauge: this.gaugeOf(session.id),
      emitter: scoped,
    };
  }

  /** The agent among those that it may start, and those above it. */
  private async teamOf(session: AgentSession, run: RunSetUp, made: TeamMaking): Promise<TeamMember> {
    const { Escalations, TeamMember } = await import('./runParts');
    const { request, scoped, emitter, lineage, abort, startedAt } = run;
    const { agents, sessions, prompter, ports } = this.parts;
    const { plan, resolved, variables, limits } = made;
    const summaryModel = plan.agent.spawning.summaryModel;
    const team = new TeamMember({
      ...{ agent: plan.agent, session, modelId: plan.modelId, variables, limits, startedAt, lineage },
      ...{ emitter: scoped, signal: abort.signal, sessions, prompter, clock: ports.clock },
      path: [...run.above, plan.agent.name],
      forward: (event) => emitter.emit(event),
      shared: lineage?.parent.shared ?? {
        ...{ escalations: new Escalations(), approvalTurns: new Turns(), session },
        approvalMode: () => request.approvalMode ?? session.metadata.approvalMode,
      },
      agents: () => agents.list(),
      summary: {
        ask: (question, signal) =>
          askOnce(summaryModel === undefined ? resolved : this.parts.providers.resolve(summaryModel), question, signal),
        save: (text) => saveText(session, ports, text),
      },
      start: (child, from) => this.start(child, from),
    });
    run.team = team;
    return team;
  }

  /** What is denied whatever its arguments is not offered to the model; what is wrong with the rules is told. */
  private async offeredTools({ metadata, rules }: AgentSession, scoped: ScopedEmitter): Promise<ToolRegistry> {
    const { user, workspace, problems } = await this.parts.permissions.rulesFor(metadata.workspace);
    for (const text of problems) scoped.emit({ type: 'notice', level: 'warning', text });
    return this.parts.tools.current.without((tool) => deniedOutright(tool, [user, rules, workspace]));
  }
}

/** Before there is a session. */
const NO_SESSION = { agent: null, role: null, model: null, variables: {} };

interface RunSetUp {
  request: RunRequest;
  id: string;
  emitter: Emitter<AgentEvent>;
  scoped: ScopedEmitter;
  steering: Steering;
  stops: CallStops;
  abort: AbortController;
  startedAt: number;
  /** Names of the agents above it. */
  above: readonly string[];
  /** Who started it; undefined for an agent that a person did. */
  lineage: Lineage | undefined;
  team?: TeamMember;
  /** What may be done when the run is over and nobody waits any more. */
  afterwards?: (signal: AbortSignal) => Promise<void>;
}

interface TeamMaking {
  plan: RunPlan;
  resolved: ResolvedModel;
  variables: ReadonlyMap<string, string>;
  limits: RunLimits;
}

/** Keeps a text among the outputs of a session; gives its absolute path. */
async function saveText({ folder }: AgentSession, { files, paths }: Ports, text: string): Promise<string> {
  const path = paths.resolve(folder, 'outputs', `${newId('answer')}.txt`);
  await files.writeFile(path, new TextEncoder().encode(text));
  return path;
}
