import { throwIfAborted, untilAborted } from '../../../base/abort';
import { Deferred } from '../../../base/deferred';
import type { AgentEvent } from '../../events/agentEvent';
import type { Question, QuestionAnswer } from '../../events/question';
import type { RunOutcome } from '../../events/runOutcome';
import type { ScopedEmitter } from '../../events/scopedEmitter';
import type { Clock, Log } from '../../ports';
import { tokensOf } from '../../messages/message';
import type { RunRequest } from '../../run/runRequest';
import type { RunTeam } from '../../run/runTeam';
import { isShutDown } from '../../run/shutDown';
import type { RunLimits } from '../../run/stopConditions';
import type { AgentSession } from '../../sessions/agentSession';
import type { SessionCatalog } from '../../sessions/sessionCatalog';
import type {
  ChildReport,
  InboxMessage,
  NewTask,
  OpenEscalation,
  SpawnRequest,
  TaskChange,
  TaskView,
  TeamDesk,
} from '../../tools/team/teamDesk';
import { ToolFailure } from '../../tools/toolFailure';
import type { UserPrompter } from '../../tools/userPrompter';
import type { AgentDefinition } from '../agentDefinition';
import type { AgentHandle } from '../agentHandle';
import { askAbove } from './askAbove';
import { Child, childId, exitOf } from './child';
import { answerOf, shortened, type SummaryParts } from './childAnswer';
import { Hearing } from './hearing';
import { inheritedVariables, limitsOfChild } from './childRequest';
import { childSession } from './childSession';
import { deliver } from './deliver';
import { recallChild } from './recallChild';
import { TargetChooser } from './targetChooser';
import type { TeamPlace } from './teamPrompt';
import type { TeamShared } from './teamShared';
import { TeamTasks } from './teamTasks';

/** Who started an agent. */
export interface Lineage {
  parent: TeamMember;
  child: Child;
}

export interface TeamMemberParts {
  agent: AgentDefinition;
  session: AgentSession;
  modelId: string;
  /** Names from the run's agent down to this one. */
  path: readonly string[];
  variables: ReadonlyMap<string, string>;
  limits: RunLimits;
  startedAt: number;
  /** Of the run. */
  signal: AbortSignal;
  emitter: ScopedEmitter;
  /** Tells those who listen to the run what happens to the agents that it started. */
  forward: (event: AgentEvent) => void;
  lineage: Lineage | undefined;
  shared: TeamShared;
  /** Every agent that there is, at this moment. */
  agents(): Promise<readonly AgentDefinition[]>;
  sessions: SessionCatalog;
  prompter: UserPrompter;
  clock: Clock;
  log: Log;
  summary: Omit<SummaryParts, 'above'>;
  /** Throws EngineError `invalid-state` when the session has a run under way. */
  start(request: RunRequest, lineage: Lineage): AgentHandle;
}

/** So often a model that ends without collecting is told of what still runs, before that is ended. */
const MAX_REMINDERS = 3;

/** One agent of a run with those that it started: what its tools and its loop do with them. */
export class TeamMember implements RunTeam, TeamDesk {
  readonly id: string;
  readonly depth: number;
  private readonly children = new Map<string, Child>();
  private readonly chooser: TargetChooser;
  private readonly taskList = new TeamTasks((request) => this.spawn(request));
  private readonly news: { child: Child; text: string }[] = [];
  private readonly own: InboxMessage[];
  private waiters: Deferred<void>[] = [];
  private reminders = 0;
  /** So many messages of its inbox its model has heard of. */
  private toldMail = 0;
  private readonly hearing: Hearing;
  private readonly used = { tokens: 0, costUsd: 0 };

  constructor(private readonly parts: TeamMemberParts) {
    const { lineage, signal } = parts;
    this.id = lineage?.child.id ?? 'root';
    this.depth = lineage ? lineage.parent.depth + 1 : 0;
    this.own = lineage?.child.inbox ?? [];
    this.hearing = new Hearing(parts.shared.escalations, this.id);
    this.chooser = new TargetChooser({ ...parts, sessionId: parts.session.id });
    signal.addEventListener('abort', () => this.endRunning(), { once: true });
  }

  get desk(): TeamDesk {
    return this;
  }

  get shared(): TeamShared {
    return this.parts.shared;
  }

  get path(): readonly string[] {
    return this.parts.path;
  }

  get sessionId(): string {
    return this.parts.session.id;
  }

  get modelId(): string {
    return this.parts.modelId;
  }

  /** The ids of those above, the nearest first. */
  get above(): string[] {
    const { lineage } = this.parts;
    return lineage ? [lineage.parent.id, ...lineage.parent.above] : [];
  }

  called(): void {
    this.reminders = 0;
  }

  spend(tokens: number, costUsd: number): void {
    this.used.tokens += tokens;
    this.used.costUsd += costUsd;
  }

  spent(): { tokens: number; costUsd: number } {
    return this.used;
  }

  takeNews(): string[] {
    const mail = this.own.length > this.toldMail ? ['There are new messages for you: agent__check_inbox.'] : [];
    this.toldMail = this.own.length;
    return [...this.news.splice(0).flatMap(({ child, text }) => (child.collected ? [] : [text])), ...mail];
  }

  async beforeEnd(signal: AbortSignal, interrupted: Promise<void>): Promise<string | null> {
    const news = this.takeNews();
    if (news.length > 0) return news.join('\n');
    if (this.running().length === 0) return null;
    if (++this.reminders > MAX_REMINDERS) {
      await this.endAll();
      const text = 'Agents that were still at work when it ended were stopped.';
      this.parts.emitter.emit({ type: 'notice', level: 'warning', text });
      return null;
    }
    this.parts.emitter.emit({ type: 'state-changed', state: 'waiting-for-agent' });
    await this.untilSomething(signal, interrupted);
    const questions = this.hearing
      .fresh()
      .map((one) => `${one.from_agent_id} asks (${one.escalation_id}): ${one.question}`);
    const left = this.running().map(({ id }) => id);
    const still = left.length > 0 ? [`Still at work: ${left.join(', ')}. Collect or cancel them before you end.`] : [];
    return [...this.takeNews(), ...questions, ...still].join('\n') || null;
  }

  /** Ends everything that it started; resolves when all of it is over. */
  async endAll(): Promise<void> {
    this.endRunning();
    await Promise.all([...this.children.values()].map(({ done }) => done.promise));
  }

  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    const { lineage, prompter, shared, agent, clock } = this.parts;
    if (!lineage) return prompter.ask(question, signal);
    const asker = { id: this.id, name: agent.name, above: this.above };
    const timeoutMs = agent.spawning.escalationTimeoutMs;
    return askAbove(question, { asker, escalations: shared.escalations, prompter, clock, timeoutMs }, signal);
  }

  async spawn(request: SpawnRequest): Promise<ChildReport> {
    const target = await this.chooser.find(request.agent);
    this.refuseTooMany();
    if (request.taskId !== undefined) this.taskList.board.claim(request.taskId, request.agent);
    try {
      return await this.begin(target, request);
    } catch (error) {
      if (request.taskId !== undefined) this.taskList.board.release(request.taskId);
      throw error;
    }
  }

  async check(id: string): Promise<{ report: ChildReport; escalations: readonly OpenEscalation[] }> {
    const child = this.children.get(id);
    if (!child) return { report: await this.recall(id), escalations: [] };
    return this.told(child);
  }

  async collect(id: string, signal: AbortSignal): ReturnType<TeamDesk['collect']> {
    const child = this.children.get(id);
    if (!child) return { report: await this.recall(id), escalations: [] };
    if (child.isRunning) await this.hearing.untilAsked(child.done.promise, signal);
    return this.told(child);
  }

  async wait(id: string, signal: AbortSignal): Promise<ChildReport> {
    const child = this.children.get(id);
    if (!child) return this.recall(id);
    await untilAborted(child.done.promise, signal);
    child.collected = true;
    return child.report;
  }

  list(): ReturnType<TeamDesk['list']> {
    const agents = [...this.children.values()].map(({ report: { id, agent, session_id, state } }) => ({
      id,
      agent,
      session_id,
      state,
    }));
    return { active_count: this.running().length, max_concurrent: this.parts.agent.spawning.maxConcurrent, agents };
  }

  /** What it is among others, for what it is offered and told. */
  async place(): Promise<TeamPlace> {
    const targets = await this.chooser.all();
    return { targets, isChild: this.parts.lineage !== undefined, atBottom: this.depth + 1 > this.maxDepth };
  }

  async available(): Promise<readonly { name: string; description: string }[]> {
    return (await this.chooser.all()).map(({ name, description }) => ({ name, description }));
  }

  async cancel(id: string): Promise<ChildReport> {
    const child = this.children.get(id);
    if (!child) throw this.unknown(id);
    child.handle?.cancel();
    child.collected = true;
    return child.done.promise;
  }

  async createTask(task: NewTask): Promise<TaskChange> {
    if (task.agent !== undefined) await this.chooser.find(task.agent);
    return this.taskList.create(task);
  }

  tasks(): readonly TaskView[] {
    return this.taskList.board.list();
  }

  completeTask(id: string): Promise<TaskChange> {
    return this.taskList.complete(id);
  }

  failTask(id: string): Promise<TaskChange> {
    return this.taskList.fail(id);
  }

  send(to: string, content: string): void {
    const { lineage, clock } = this.parts;
    const mates = new Map([...(lineage?.parent.children ?? []), ...this.children]);
    mates.delete(this.id);
    const boxes = new Map([...mates].map(([id, { inbox }]) => [id, inbox]));
    if (lineage) boxes.set('parent', lineage.parent.own);
    deliver(to === lineage?.parent.id ? 'parent' : to, boxes, {
      ...{ from: this.id, payload: { type: 'text', content } },
      timestamp: new Date(clock.now()).toISOString(),
    });
  }

  inbox(): readonly InboxMessage[] {
    this.toldMail = 0;
    return this.own.splice(0);
  }

  reply(escalationId: string, reply: string): string {
    return this.parts.shared.escalations.reply(escalationId, this.id, reply);
  }

  private running(): Child[] {
    return [...this.children.values()].filter(({ isRunning }) => isRunning);
  }

  private endRunning(): void {
    const { signal } = this.parts;
    for (const { handle } of this.running()) {
      if (isShutDown(signal)) handle?.shutDown();
      else handle?.cancel();
    }
  }

  /** Every level may set how deep it goes; none goes deeper than those above it allow. */
  private get maxDepth(): number {
    const own = this.parts.agent.spawning.maxDepth;
    return Math.min(own, this.parts.lineage?.parent.maxDepth ?? own);
  }

  private refuseTooMany(): void {
    const { maxConcurrent } = this.parts.agent.spawning;
    throwIfAborted(this.parts.signal);
    if (this.depth + 1 > this.maxDepth) {
      throw new ToolFailure('failed', `Agents may go ${this.maxDepth} deep, and you are there: do it yourself.`);
    }
    if (this.running().length >= maxConcurrent) {
      throw new ToolFailure(
        'failed',
        `${maxConcurrent} agents are at work, which is as many as you may have. Collect or cancel one first.`,
      );
    }
  }

  private async begin(target: AgentDefinition, request: SpawnRequest): Promise<ChildReport> {
    const { emitter, limits, startedAt, clock, variables, forward } = this.parts;
    const { session: own, sessions } = this.parts;
    const approvalMode = this.shared.approvalMode();
    const session = await childSession(target.name, request, { session: own, sessions, approvalMode });
    if ([...this.children.values()].some((one) => one.sessionId === session.id && one.isRunning)) {
      throw new ToolFailure('failed', `${target.name} is still at work in that session. Collect it first.`);
    }
    const child = new Child(childId(target.name, session.id), target.name, session.id, request.taskId);
    const spent = { ...this.spent(), elapsedMs: clock.now() - startedAt };
    const { id: agentId, sessionId } = child;
    const { callId, prompt: task } = request;
    const spawned = { agentId, agent: target.name, childSessionId: sessionId, callId, task };
    await own.agentSpawned(spawned);
    this.children.set(child.id, child);
    emitter.emit({ type: 'agent-spawned', ...spawned });
    const handle = this.parts.start(
      {
        ...{ sessionId, input: request.prompt, agent: target.name },
        variables: inheritedVariables(target.variables, variables),
        limits: limitsOfChild(target.limits, limits, spent),
      },
      { parent: this, child },
    );
    child.handle = handle;
    handle.subscribe((event) => {
      if (event.type === 'usage-reported') {
        this.spend(tokensOf(event.usage), event.costUsd ?? 0);
        child.spend(tokensOf(event.usage), event.costUsd ?? 0);
      }
      forward(event);
    });
    const begunAt = clock.now();
    void handle.outcome.then((outcome) => this.finished(child, outcome, session, clock.now() - begunAt));
    return child.report;
  }

  private async finished(child: Child, outcome: RunOutcome, session: AgentSession, durationMs: number): Promise<void> {
    const { agent, summary, signal, emitter, log, session: own } = this.parts;
    const { state, exit_status } = exitOf(outcome);
    const full = answerOf(outcome, session);
    const answer = await shortened(full, { ...summary, above: agent.spawning.summarizeAbove }, signal).catch(() => ({
      output: full,
    }));
    const { id, agent: name, sessionId } = child;
    const ended = { agentId: id, outcome, durationMs, ...child.used };
    await own.agentFinished(ended).catch((error: unknown) => {
      log.error('The end of an agent could not be written to the session that started it', error);
    });
    emitter.emit({ type: 'agent-finished', ...ended });
    child.finish({ id, agent: name, session_id: sessionId, state, exit_status, ...answer });
    this.news.push({ child, text: `The agent ${id} is done (${state}). Collect its answer with agent__collect.` });
    if (child.taskId !== undefined) this.taskList.ended(child.taskId, child.report);
    if (!signal.aborted) await this.taskList.dispatch();
    this.wake();
  }

  private told(child: Child): { report: ChildReport; escalations: readonly OpenEscalation[] } {
    if (!child.isRunning) child.collected = true;
    return { report: child.report, escalations: this.hearing.all() };
  }

  /** An agent of an earlier run of this session. */
  private async recall(id: string): Promise<ChildReport> {
    const found = await recallChild(id, this.parts.session.id, this.parts.sessions);
    if (found) return found;
    throw this.unknown(id);
  }

  private unknown(id: string): ToolFailure {
    const known = [...this.children.keys()].join(', ');
    return new ToolFailure('bad-arguments', `You started no agent “${id}”.${known && ` You started: ${known}.`}`);
  }

  private wake(): void {
    for (const waiter of this.waiters.splice(0)) waiter.resolve();
  }

  /** Resolves when an agent ends or asks something new, and with `interrupted`. */
  private untilSomething(signal: AbortSignal, interrupted: Promise<void>): Promise<void> {
    const ended = new Deferred<void>();
    this.waiters.push(ended);
    return this.hearing.untilAsked(Promise.race([ended.promise, interrupted]), signal);
  }
}
