import type { AgentRuntimeParts } from './agentRuntimeParts';
import { newId } from '../../base/newId';
import type { TokenGauge } from '../context/tokenGauge';
import { EngineError } from '../engineError';
import type { RunOutcome } from '../events/runOutcome';
import type { ScopedEmitter } from '../events/scopedEmitter';
import type { ResolvedModel } from '../llm/providerRegistry';
import { deniedOutright } from '../permissions/deniedOutright';
import { toolPolicy } from '../permissions/toolPolicy';
import { Mutex } from '../../base/mutex';
import type { Ports } from '../ports';
import { askAside } from '../run/aside/askAside';
import { compactNow } from '../run/fitting/compactNow';
import { AutoContinue } from '../run/autoContinue';
import { runLoop } from '../run/loop/runLoop';
import { runAgent } from '../run/runAgent';
import { RepeatGuard } from '../run/guard/repeatGuard';
import type { RunContext } from '../run/runContext';
import type { RunRequest } from '../run/runRequest';
import type { RunLimits } from '../run/stopConditions';
import { titleSession } from '../run/titleSession';
import { limitTime } from '../run/limitTime';
import { takeInput } from '../run/takeInput';
import type { AgentSession } from '../sessions/agentSession';
import { Resources } from '../tools/resources';
import type { ToolRegistry } from '../tools/toolRegistry';
import type { AgentDefinition } from './agentDefinition';
import type { AgentHandle } from './agentHandle';
import { askForVariables, missingText } from './agentVariables';
import { keepVariables } from './keepVariables';
import { equipAgent, rulesOf } from './equipAgent';
import { planRun, type RunPlan } from './runPlan';
import { takenNamesText } from './takenNamesText';
import { Escalations } from './team/escalations';
import { prompterForChild } from './team/prompterForChild';
import { type Lineage, TeamMember } from './team/teamMember';
import type { RunSetUp } from './runSetUp';

/** What the runtime lends a run. */
export interface RunShared {
  /** Of the session, from one run to the next. */
  gauge: TokenGauge;
  /** Throws EngineError `invalid-state` when the session has a run under way. */
  start: (request: RunRequest, lineage: Lineage) => AgentHandle;
}

/** One run, from who answers to how it ended. */
export class AgentRun {
  constructor(
    private readonly parts: AgentRuntimeParts,
    private readonly run: RunSetUp,
    private readonly session: AgentSession,
    private readonly shared: RunShared,
  ) {}

  private resolveModel(id: string): ResolvedModel | RunOutcome {
    try {
      return this.resolved(id);
    } catch (error) {
      if (!EngineError.is(error)) throw error;
      return { kind: 'failed', reason: 'unknown-model', message: error.message };
    }
  }

  private resolved(id: string): ResolvedModel {
    return this.run.middleware.around(this.parts.providers.resolve(id));
  }

  /** Rejects with AbortError when the run is cancelled, and with EngineError. */
  async carryOut(): Promise<RunOutcome> {
    const { session, run } = this;
    const { request, scoped, lineage } = run;
    const parts = lineage ? { ...this.parts, defaultModel: () => Promise.resolve(lineage.parent.modelId) } : this.parts;
    const plan = await planRun(parts, request, session.metadata).catch(async (error: unknown) => {
      await this.takeInput();
      throw error;
    });
    if ('kind' in plan) {
      // Whoever wrote it finds it where it was sent.
      await this.takeInput();
      return plan;
    }
    this.limitTime(plan.agent.limits.timeMs);
    await session.runStarted(run.id, plan.modelId);
    scoped.emit({ type: 'run-started', model: plan.modelId });
    for (const text of [...(await this.takenNames(plan)), ...this.lacking(plan.agent), ...plan.problems]) {
      scoped.emit({ type: 'notice', level: 'warning', text });
    }
    await this.keepMetadata();
    await this.takeInput();
    const resolved = this.resolveModel(plan.modelId);
    if ('kind' in resolved) return resolved;
    const prompter = prompterForChild(plan.agent, lineage, {
      prompter: this.parts.prompter,
      clock: this.parts.ports.clock,
    });
    const asking = { prompter, emitter: scoped, sessionId: session.id, signal: run.abort.signal };
    const { values, missing } = await askForVariables(plan.agent, plan.variables, asking);
    await keepVariables(session, request, plan, values);
    if (missing.length > 0) {
      return { kind: 'failed', reason: 'configuration', message: missingText(plan.agent, missing) };
    }
    const context = await this.context({ plan, resolved, variables: values });
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

  private async keepMetadata(): Promise<void> {
    const { session, run } = this;
    const { metadata } = run.request;
    if (metadata) await session.configure({ own: { ...session.metadata.own, ...metadata } });
  }

  private get hidden(): RunContext['hidden'] {
    const { session, run, parts } = this;
    const { parent, own } = session.metadata;
    return {
      runId: run.id,
      parentSessionId: parent?.sessionId ?? null,
      metadata: { ...parts.metadata, ...own },
      resources: (run.request.resources ?? Resources.none).before(parts.resources),
    };
  }

  /** What the agent does not have though its file asks for it; told before it says its first word in a session. */
  private lacking({ name, lacks = [] }: AgentDefinition): string[] {
    const hasSpoken = this.session.messages.some((message) => message.role === 'assistant' && message.agent === name);
    return hasSpoken ? [] : lacks.map((text) => `${name}: ${text}`);
  }

  /** Told by the run that a person began, of which those are a part that its agents start. */
  private async takenNames({ role }: RunPlan): Promise<string[]> {
    if (this.run.lineage) return [];
    const { workspace } = this.session.metadata;
    const { paths } = this.parts.ports;
    const text = await takenNamesText(this.parts, { workspace, hasRole: role !== undefined, paths });
    return text === undefined ? [] : [text];
  }

  private async takeInput(): Promise<void> {
    const { request, scoped, middleware } = this.run;
    if (request.input === undefined) return;
    const { session, parts } = this;
    await takeInput({ session, emitter: scoped, clock: parts.ports.clock, middleware }, request.input, false);
  }

  /** As the agent has it; what the request says counts already. */
  private limitTime(timeMs: number | undefined): void {
    const { run } = this;
    const { clock } = this.parts.ports;
    if (timeMs === undefined || run.request.limits?.timeMs !== undefined) return;
    run.time = limitTime(timeMs, run.abort, clock);
  }

  private async context({ plan, resolved, variables }: Omit<TeamMaking, 'limits'>): Promise<RunContext> {
    const { session, run } = this;
    const { request, scoped } = run;
    const { approvals, prompter, edits, permissions, audit, machine, ports, scope } = this.parts;
    const { agent, autoContinue, role, sampling } = plan;
    const { workspace } = session.metadata;
    const tools = await this.offeredTools(run.lineage?.parent.shared.session ?? session, scoped);
    const limits = { ...agent.limits, ...request.limits };
    const team = this.team({ plan, resolved, variables, limits });
    const equipment = await equipAgent(this.parts, {
      ...{ plan, variables, session, tools, now: run.startedAt, emitter: scoped, team: await team.place() },
      place: scope(),
      // Those above an agent may answer it, where no person can.
      isUnanswered: prompter.isNobody === true && !run.lineage,
    });
    team.equipped((tool) => equipment.tools.get(tool) !== undefined);
    return {
      approvalMode: () => team.shared.approvalMode(),
      ...{ team, root: team.shared, approvalTurns: team.shared.approvalTurns },
      ...{ runId: run.id, agent: agent.name, session, model: resolved.model, client: resolved.client, workspace },
      ...{ equipment, variables, autoContinue: new AutoContinue(autoContinue), answersCode: role?.answer === 'code' },
      ...{ approvals, prompter, ports, edits, scope, agentRules: rulesOf(agent), sampling },
      compactsAbove: agent.compactsAbove,
      ...{
        hidden: this.hidden,
        progress: { turn: 0 },
        toolErrors: agent.toolErrors ?? this.parts.toolErrors,
        middleware: run.middleware,
        steering: run.steering,
        stops: run.stops,
        repeats: new RepeatGuard(),
        startedAt: run.startedAt,
        signal: run.abort.signal,
      },
      ...{ limits, policy: toolPolicy, permissions, audit },
      shell: machine.platform === 'win32' ? 'windows' : 'posix',
      gauge: this.shared.gauge,
      emitter: scoped,
    };
  }

  /** The agent among those that it may start, and those above it. */
  private team(made: TeamMaking): TeamMember {
    const { session, run } = this;
    const { request, scoped, emitter, lineage, abort, startedAt } = run;
    const { agents, sessions, prompter, ports } = this.parts;
    const { plan, resolved, variables, limits } = made;
    const summaryModel = plan.agent.spawning.summaryModel;
    const team = new TeamMember({
      ...{ agent: plan.agent, session, modelId: plan.modelId, variables, limits, startedAt, lineage },
      ...{ emitter: scoped, signal: abort.signal, sessions, prompter, clock: ports.clock, log: ports.log },
      path: [...run.above, plan.agent.name],
      // What a file says of turns is meant for that agent alone.
      turnsOfAll: lineage ? undefined : request.limits?.turns,
      forward: (event) => emitter.emit(event),
      shared: lineage?.parent.shared ?? {
        ...{ escalations: new Escalations(), approvalTurns: new Mutex(), session, runId: run.id },
        approvalMode: () => request.approvalMode ?? session.metadata.approvalMode,
      },
      agents: () => agents.list(),
      summary: {
        ask: async (question, signal) => {
          const asked = summaryModel === undefined ? resolved : this.resolved(summaryModel);
          const answer = await askAside({ session, emitter: scoped, team }, asked, question, signal);
          return typeof answer === 'string' ? answer : undefined;
        },
        save: (text) => saveText(session, ports, text),
      },
      hidden: { metadata: session.metadata.own, ...(request.resources && { resources: request.resources }) },
      start: this.shared.start,
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
