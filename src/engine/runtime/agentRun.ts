import { errorText } from '../../base/errors';
import type { AgentDefinition } from '../agents/agentDefinition';
import type { TokenGauge } from '../context/estimateTokens';
import { EngineError } from '../engineError';
import { type RunOutcome, struckOutcome } from '../events/runOutcome';
import { ScopedEmitter } from '../events/scopedEmitter';
import type { ResolvedModel } from '../llm/providerRegistry';
import { narrower, type WorkMode, workModeOf } from '../permissions/modes';
import { matcherRules } from '../permissions/program/matcherRules';
import { deniedOutright, toolPolicy } from '../permissions/toolPolicy';
import type { AgentHandle } from '../run/agentHandle';
import { AutoContinue } from '../run/autoContinue';
import { compactNow } from '../run/fitting/compactSession';
import { holdSession } from '../run/holdSession';
import type { PlacedMiddleware } from '../run/hooks/middlewareChain';
import { isShutDown } from '../run/interrupts';
import { runLoop } from '../run/loop/runLoop';
import { RepeatGuard } from '../run/repeatGuard';
import { runAgent } from '../run/runAgent';
import type { Calling, Conversation, RunContext, RunPlace } from '../run/runContext';
import type { RunRequest } from '../run/runRequest';
import { takeInput } from '../run/takeInput';
import { outcomeInTime, TimeLimit } from '../run/timeLimit';
import { titleSession } from '../run/titleSession';
import type { AgentSession } from '../sessions/agentSession';
import { prompterForChild } from '../team/escalations';
import type { Lineage, TeamMember } from '../team/teamMember';
import type { TeamShared } from '../team/teamShared';
import { Resources } from '../tools/resources';
import type { ToolRegistry } from '../tools/toolRegistry';
import { RunUsage, UsageLog } from '../usage/usageLog';
import type { AgentRuntimeParts } from './agentRuntimeParts';
import { askForVariables, missingText } from './agentVariables';
import { dynamicInstructions } from './dynamicInstructions';
import { equipAgent, rulesOf } from './equipAgent';
import { keepLate, keepWaiting } from './lateMessages';
import { leadTeam } from './leadTeam';
import { keepDefault, keepVariables, planRun, type RunPlan } from './runPlan';
import {
  type BegunRun,
  type Opened,
  type OpenRun,
  outcomeOfThrow,
  type PlannedRun,
  type Voice,
  type Worked,
} from './runStages';
import { takenNamesText } from './takenNamesText';
import { toolsAtHand } from './toolsAtHand';

/** What the runtime provides to a run. */
interface RunShared {
  /** The session's token gauge, kept from one run to the next. */
  gaugeOf: (session: AgentSession) => TokenGauge;
  /** Throws EngineError `invalid-state` if the session already has a run. */
  start: (request: RunRequest, lineage: Lineage) => AgentHandle;
  /** Frees the session for another run. */
  free: () => void;
  /** Runs work that nothing waits for. */
  inBackground: (work: (signal: AbortSignal) => Promise<void>) => void;
  /** Aborts when the engine is shut down. */
  closing: AbortSignal;
}

/** Carries out a run in steps: open, plan, equip, loop, and close, each using the results of the previous ones. */
export class AgentRun {
  private readonly usage: RunUsage;

  constructor(
    private readonly parts: AgentRuntimeParts,
    private readonly begun: BegunRun,
    private readonly shared: RunShared,
  ) {
    this.usage = new RunUsage(new UsageLog(parts.recordFolder, parts.ports), begun.id);
  }

  /** The last event is emitted when everything else is done. Never rejects. */
  async carryOut(): Promise<RunOutcome> {
    this.begun.emitter.on((event) => this.usage.take(event));
    const time = new TimeLimit(this.begun.abort, this.parts.ports.clock);
    time.set(this.begun.request.limits?.timeMs);
    const opened = await this.open();
    if (opened.kind !== 'not-opened') this.usage.worksIn(opened.session.metadata.workspace);
    const worked = opened.kind === 'open' ? await this.work(opened, time) : opened;
    time.dispose();
    return this.close(opened, worked);
  }

  /** Opens the session and acquires the right to run in it. */
  private async open(): Promise<Opened> {
    const { request, abort } = this.begun;
    let session: AgentSession;
    try {
      await this.parts.ports.secretsKnown?.();
      session = await this.parts.sessions.open(request.sessionId);
    } catch (error) {
      return { kind: 'not-opened', ...this.voiceOf(request.agent), outcome: this.outcomeOf(error) };
    }
    const voice = this.voiceOf(request.agent ?? session.metadata.agent);
    try {
      const { clock } = this.parts.ports;
      const hold = await holdSession(session, { emitter: voice.emitter, clock, signal: abort.signal });
      return { kind: 'open', ...voice, session, hold };
    } catch (error) {
      return { kind: 'held-elsewhere', ...voice, session, outcome: this.outcomeOf(error) };
    }
  }

  /** Runs the steps from planning to the end of the loop. Never rejects. */
  private async work(opened: OpenRun, time: TimeLimit): Promise<Worked> {
    try {
      const planned = await this.plan(opened, time);
      if (planned.kind !== 'ready') return { outcome: planned };
      const team = leadTeam(this.parts, this.begun, opened, planned, this.shared.start);
      try {
        return await this.loop(await this.equip(opened, planned, team), planned.plan, team);
      } finally {
        time.dispose();
        await team.endAll();
      }
    } catch (error) {
      return { outcome: this.outcomeOf(error) };
    }
  }

  /** Determines who answers, and takes the message. Rejects with AbortError and EngineError. */
  private async plan(opened: OpenRun, time: TimeLimit): Promise<PlannedRun | RunOutcome> {
    const { request, lineage } = this.begun;
    const { session, emitter, middleware } = opened;
    const defaultModel = () =>
      lineage ? Promise.resolve(lineage.parent.modelId) : keepDefault(session, request, this.parts);
    const plan = await planRun({ ...this.parts, defaultModel }, request, session.metadata, lineage?.child.own).catch(
      (error: unknown) => this.outcomeOf(error),
    );
    if (plan.kind === 'planned') {
      time.set(plan.agent.limits.timeMs);
      await this.tellStart(opened, plan);
    }
    // Stored even if nothing can answer it, so that the user finds it where it was sent.
    if (request.input !== undefined) {
      await takeInput({ session, emitter, clock: this.parts.ports.clock, middleware }, request.input, false);
    }
    if (plan.kind !== 'planned') return plan;
    const resolved = this.resolveModel(plan.modelId, middleware);
    if (resolved.kind !== 'resolved') return resolved;
    const { clock } = this.parts.ports;
    const prompter = prompterForChild(plan.agent, lineage, { prompter: this.parts.prompter, clock });
    const asking = { prompter, emitter, sessionId: session.id, signal: this.begun.abort.signal };
    const { values, missing } = await askForVariables(plan.agent, plan.variables, asking);
    await keepVariables(session, request, plan, values, this.parts.ports.strike);
    if (missing.length > 0) {
      return { kind: 'failed', reason: 'configuration', message: missingText(plan.agent, missing) };
    }
    const limits = { ...plan.agent.limits, ...request.limits };
    return { kind: 'ready', plan, resolved: resolved.resolved, variables: values, limits, prompter };
  }

  /** Gives the agent its prompt and tools, and assembles the context of its loop. */
  private async equip(opened: OpenRun, planned: PlannedRun, team: TeamMember): Promise<RunContext> {
    const { session, emitter } = opened;
    const { id, lineage, startedAt, abort, steering, interrupts } = this.begun;
    const { plan, variables, limits } = planned;
    const { agent } = plan;
    const { signal } = abort;
    const promptAndTools = await equipAgent(this.parts, {
      plan,
      variables,
      session,
      instructions: await dynamicInstructions(this.parts, { session, agent, variables, emitter, signal }),
      tools: await this.offeredTools(lineage?.parent.shared.session ?? session, emitter, planned),
      now: startedAt,
      emitter,
      team: await team.place(),
      place: this.parts.scope(),
      workMode: this.workMode(agent, team.shared)(),
      // An agent's ancestors may answer where no user can.
      isUnanswered: this.parts.prompter.isNobody === true && !lineage,
    });
    team.equipped((tool) => promptAndTools.tools.get(tool) !== undefined);
    const place: RunPlace = {
      runId: id,
      agent: agent.name,
      workspace: session.metadata.workspace,
      session,
      emitter,
      ports: this.parts.ports,
      signal: abort.signal,
      promptAndTools,
      team,
      progress: { turn: 0 },
    };
    const autoContinue = new AutoContinue(plan.autoContinue);
    session.onTodosChanged((items) => {
      emitter.emit({ type: 'todo-changed', items });
      if (items.length === 0) autoContinue.reset();
    });
    const answersCode = plan.role?.answer === 'code';
    const [conversation, calling] = [this.conversation(place, opened, planned), this.calling(place, plan, team)];
    return { conversation, calling, limits, steering, interrupts, autoContinue, variables, answersCode };
  }

  private conversation(
    place: RunPlace,
    { middleware, session }: OpenRun,
    { plan, resolved }: PlannedRun,
  ): Conversation {
    return {
      ...place,
      model: resolved.model,
      client: resolved.client,
      sampling: plan.sampling,
      gauge: this.shared.gaugeOf(session),
      compactsAbove: plan.agent.compactsAbove,
      strategy: this.parts.contextStrategy,
      middleware,
      resolve: (id) => middleware.around(this.parts.providers.resolve(id)),
    };
  }

  private calling(place: RunPlace, { agent }: RunPlan, { shared }: TeamMember): Calling {
    const { permissions, scope, audit, approvals, machine, edits } = this.parts;
    return {
      ...place,
      permissions,
      agentRules: rulesOf(agent),
      root: shared,
      scope,
      approvalMode: () => shared.approvalMode(),
      workMode: this.workMode(agent, shared),
      policy: toolPolicy,
      audit,
      approvals,
      approvalTurns: shared.approvalTurns,
      shell: machine.platform === 'win32' ? 'windows' : 'posix',
      hidden: this.hidden(place.session),
      looking: agent.looking,
      toolErrors: agent.toolErrors ?? this.parts.toolErrors,
      edits,
      stops: this.begun.stops,
      sent: this.begun.sent,
      repeats: new RepeatGuard(),
    };
  }

  /** An agent started by another may do what that one may, or less. */
  private workMode({ workMode: own = 'agent' }: AgentDefinition, shared: TeamShared): () => WorkMode {
    return () => (this.begun.lineage ? narrower(shared.workMode(), own) : shared.workMode());
  }

  /** Runs the agent until it has answered, or does what the request asks for instead. */
  private async loop(context: RunContext, { agent }: RunPlan, team: TeamMember): Promise<Worked> {
    const { request } = this.begun;
    const { conversation } = context;
    const isFirst = conversation.session.messages.filter(({ role }) => role === 'user').length === 1;
    const afterwards = (signal: AbortSignal) => titleSession({ ...conversation, signal });
    const outcome = await this.outcomeOfLoop(context, agent, team);
    return request.namesSession && isFirst ? { outcome, afterwards } : { outcome };
  }

  private async outcomeOfLoop(context: RunContext, agent: AgentDefinition, team: TeamMember): Promise<RunOutcome> {
    const { request, interrupts } = this.begun;
    const { loop, graph } = agent;
    if (request.compacts || loop || graph) interrupts.close();
    if (request.compacts) return compactNow(context.conversation);
    if (!graph) return loop ? runLoop(context, loop, request.input) : runAgent(context);
    const { runGraph } = await import('./graph/graphProgram');
    const { input, graphRun } = request;
    const run = { context, agent, team, file: await graph.load(), isNew: input !== undefined };
    return runGraph(this.parts, { ...run, ...(graphRun && { wanted: graphRun }) }, input);
  }

  /** Stores messages that were not taken and the outcome, frees the session, and announces the end. Never rejects. */
  private async close(opened: Opened, { outcome: ended, afterwards }: Worked): Promise<RunOutcome> {
    const { id, abort, startedAt } = this.begun;
    const { clock, log, strike } = this.parts.ports;
    const inTime = outcomeInTime(ended, abort.signal);
    const outcome = strike ? struckOutcome(inTime, strike) : inTime;
    await this.keepUnheard(opened);
    const durationMs = clock.now() - startedAt;
    if (opened.kind === 'open') {
      // Without this entry the run counts as cut off, and the session offers to continue it.
      if (!isShutDown(abort.signal)) {
        await opened.session.runFinished(id, outcome, durationMs, this.usage.costUsd).catch((error: unknown) => {
          log.error('The end of a run could not be written to its session', error);
        });
      }
      await opened.hold.release().catch((error: unknown) => log.warn(errorText(error)));
    }
    await this.usage.keep();
    this.shared.free();
    opened.emitter.emit({ type: 'run-finished', outcome, durationMs });
    if (outcome.kind === 'completed' && afterwards) {
      this.shared.inBackground((signal) => afterwards(signal).finally(() => this.usage.keep()));
    }
    return outcome;
  }

  // Helpers of the steps, in their order.

  private voiceOf(agent: string | null | undefined): Voice {
    const { id, request, emitter, lineage, abort } = this.begun;
    const { ports, defaultAgent, middleware } = this.parts;
    const agentPath = [...(lineage?.parent.path ?? []), agent ?? defaultAgent];
    const scope = { runId: id, sessionId: request.sessionId, agentPath };
    return {
      emitter: new ScopedEmitter(emitter, scope, ports.clock, ports),
      middleware: middleware.at({ ...scope, signal: abort.signal }),
    };
  }

  private outcomeOf(error: unknown): RunOutcome {
    const outcome = outcomeOfThrow(error);
    if (outcome.kind === 'failed' && outcome.reason === 'internal') {
      this.parts.ports.log.error('A run failed by a defect', error);
    }
    return outcome;
  }

  private async tellStart({ session, emitter }: OpenRun, plan: RunPlan): Promise<void> {
    const { id, request } = this.begun;
    const begun = { model: plan.modelId, workMode: workModeOf(request, session, plan.agent) };
    await session.runStarted(id, begun);
    emitter.emit({ type: 'run-started', ...begun });
    for (const text of [...(await this.takenNames(session, plan)), ...lacking(session, plan.agent), ...plan.problems]) {
      emitter.emit({ type: 'notice', level: 'warning', text });
    }
    if (request.metadata) await session.configure({ own: { ...session.metadata.own, ...request.metadata } });
  }

  /** Reported only by the run that the user started; those its agents start are part of it. */
  private async takenNames({ metadata }: AgentSession, { role }: RunPlan): Promise<string[]> {
    if (this.begun.lineage) return [];
    const { paths } = this.parts.ports;
    const { workspace } = metadata;
    const text = await takenNamesText(this.parts, { workspace, hasRole: role !== undefined, paths });
    return text === undefined ? [] : [text];
  }

  private resolveModel(
    id: string,
    middleware: PlacedMiddleware,
  ): { kind: 'resolved'; resolved: ResolvedModel } | RunOutcome {
    try {
      return { kind: 'resolved', resolved: middleware.around(this.parts.providers.resolve(id)) };
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      return { kind: 'failed', reason: 'unknown-model', message: error.message };
    }
  }

  /** Omits tools that are denied whatever their arguments, and reports problems with the rules. */
  private async offeredTools(
    { metadata, rules }: AgentSession,
    emitter: ScopedEmitter,
    { plan, variables }: PlannedRun,
  ): Promise<ToolRegistry> {
    const { folders } = this.parts.scope();
    const { user, workspace, problems } = await this.parts.permissions.rulesFor(metadata.workspace, folders);
    const { all, notices } = await toolsAtHand(this.parts, metadata.workspace, plan, variables);
    // Runs of agents that this one started would only repeat them.
    for (const text of [...problems, ...(this.begun.lineage ? [] : notices)]) {
      emitter.emit({ type: 'notice', level: 'warning', text });
    }
    const program = matcherRules(this.parts.permissions.program.all);
    return all.without((tool) => deniedOutright(tool, [program]) || deniedOutright(tool, [user, rules, workspace]));
  }

  private hidden({ metadata: { parent, own } }: AgentSession): Calling['hidden'] {
    const { id, request } = this.begun;
    return {
      runId: id,
      parentSessionId: parent?.sessionId ?? null,
      metadata: { ...this.parts.metadata, ...own },
      resources: (request.resources ?? Resources.none).before(this.parts.resources),
    };
  }

  private async keepUnheard(opened: Opened): Promise<void> {
    if (opened.kind === 'not-opened') return;
    const { request, steering } = this.begun;
    const { session, emitter } = opened;
    const middleware = opened.middleware.until(this.shared.closing);
    const place = { session, emitter, middleware, ports: this.parts.ports };
    const late = steering.close();
    if (opened.kind === 'open') await keepLate(place, late);
    else if (!request.callerKeepsInput) await keepWaiting(place, request.input, late);
  }
}

/** Returns what the agent's file asks for but the agent does not have; reported before its first answer in a session. */
function lacking({ messages }: AgentSession, { name, lacks = [] }: AgentDefinition): string[] {
  const hasSpoken = messages.some((message) => message.role === 'assistant' && message.agent === name);
  return hasSpoken ? [] : lacks.map((text) => `${name}: ${text}`);
}
