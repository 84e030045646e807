import { throwIfAborted, untilAborted } from '../../base/abort';
import { Deferred } from '../../base/async';
import type { AgentDefinition } from '../agents/agentDefinition';
import type { Question, QuestionAnswer, UserPrompter } from '../events/agentEvent';
import type { AgentHandle } from '../run/agentHandle';
import type { RunTeam } from '../run/runContext';
import type { RunRequest } from '../run/runRequest';
import type {
  ChildReport,
  InboxMessage,
  NewTask,
  OpenEscalation,
  SpawnRequest,
  TaskChange,
  TaskView,
  TeamDesk,
} from '../tools/team/teamDesk';
import { ToolFailure } from '../tools/toolOutput';
import { type Child, childReportFromDisk, earlierWork, NO_WORK, shortened, type WorkRequest } from './child';
import { Children, type LeaderParts } from './children';
import { KnownEscalations } from './escalations';
import { overText, postToInbox } from './postToInbox';
import { Spending } from './spending';
import { TargetChooser } from './targetChooser';
import type { TeamPlace } from './teamPrompt';
import type { TeamShared } from './teamShared';
import { TeamTasks } from './teamTasks';

/** The parent of an agent. */
export interface Lineage {
  parent: TeamMember;
  child: Child;
}

export interface TeamMemberParts {
  leader: LeaderParts;
  modelId: string;
  /** Maximum turns of the agent and its descendants together; undefined: no such limit. */
  turnsOfAll: number | undefined;
  /** Names from the run's agent down to this one. */
  path: readonly string[];
  lineage: Lineage | undefined;
  shared: TeamShared;
  /** Returns all agents that currently exist. */
  agents(): Promise<readonly AgentDefinition[]>;
  /** Asks the user; for a child also its ancestors. */
  prompter: UserPrompter;
  /** Throws EngineError `invalid-state` if a run is already in progress in the session. */
  start(request: RunRequest, lineage: Lineage): AgentHandle;
}

/** How often a model that ends without collecting is reminded of running agents before they are stopped. */
const MAX_REMINDERS = 3;

/** An agent of a run and its children, as used by its tools and its loop. */
export class TeamMember implements RunTeam, TeamDesk {
  readonly id: string;
  readonly depth: number;
  readonly spending: Spending;
  private readonly leader: LeaderParts;
  private readonly children: Children;
  private readonly chooser: TargetChooser;
  private readonly taskList: TeamTasks;
  private readonly news: Child[] = [];
  private readonly own: InboxMessage[];
  private readonly knownEscalations: KnownEscalations;
  private waiters: Deferred<void>[] = [];
  private reminders = 0;
  /** Number of messages in its inbox that its model knows about. */
  private toldMail = 0;
  private readonly cancelRunning = () => this.children.cancelRunning();
  private offers: (tool: string) => boolean = () => true;

  constructor(private readonly parts: TeamMemberParts) {
    const { lineage, leader } = parts;
    const { agent, session, emitter, signal } = leader;
    this.leader = leader;
    this.id = lineage?.child.id ?? 'root';
    this.depth = lineage ? lineage.parent.depth + 1 : 0;
    this.own = lineage?.child.inbox ?? [];
    this.knownEscalations = new KnownEscalations(parts.shared.escalations, this.id);
    this.spending = new Spending({
      above: lineage && { spending: lineage.parent.spending, child: lineage.child },
      limits: leader.limits,
      turns: parts.turnsOfAll,
      warn: (text) => emitter.emit({ type: 'notice', level: 'warning', text }),
    });
    const ask = (question: Question, stop: AbortSignal) => this.ask(question, stop);
    const agents = () => parts.agents();
    this.chooser = new TargetChooser({ agent, sessionId: session.id, agents, ask, emitter, signal });
    this.taskList = new TeamTasks(
      (request) => this.spawn(request),
      () => this.children.hasRoom,
    );
    this.children = new Children(leader, {
      approvalMode: () => this.shared.approvalMode(),
      workMode: () => this.shared.workMode(),
      begin: (request, child) => parts.start(request, { parent: this, child }),
      spent: () => this.spending.total,
      over: (child) => this.childOver(child),
    });
    signal.addEventListener('abort', this.cancelRunning);
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
    return this.leader.session.id;
  }

  get modelId(): string {
    return this.parts.modelId;
  }

  /** Ids of its ancestors, nearest first. */
  get above(): string[] {
    const { lineage } = this.parts;
    return lineage ? [lineage.parent.id, ...lineage.parent.above] : [];
  }

  called(): void {
    this.reminders = 0;
  }

  /** Sets which tools its model has, so that no others are mentioned to it. */
  equipped(offers: (tool: string) => boolean): void {
    this.offers = offers;
  }

  takeNews(): string[] {
    return [...this.news.splice(0).flatMap((child) => (child.collected ? [] : [this.endOf(child)])), ...this.mail()];
  }

  async beforeEnd(signal: AbortSignal, interrupted: Promise<void>): Promise<string | null> {
    const news = this.takeNews();
    if (news.length > 0) return news.join('\n');
    if (this.children.running.length === 0) return null;
    if (++this.reminders > MAX_REMINDERS) {
      await this.children.end(false);
      const text = 'Agents that were still running when it ended were stopped.';
      this.leader.emitter.emit({ type: 'notice', level: 'warning', text });
      return null;
    }
    this.leader.emitter.emit({ type: 'state-changed', state: 'waiting-for-agent' });
    await this.untilSomething(signal, interrupted);
    const questions = this.knownEscalations
      .fresh()
      .map((one) => `${one.from_agent_id} asks (${one.escalation_id}): ${one.question}`);
    const left = this.children.running.map(({ id }) => id);
    const still = left.length > 0 ? [`Still running: ${left.join(', ')}. Collect or cancel them before you end.`] : [];
    return [...this.takeNews(), ...questions, ...still].join('\n') || null;
  }

  endRunning(): Promise<void> {
    return this.children.end(false);
  }

  /** Ends everything that it started, permanently; resolves once all of it has ended. */
  async endAll(): Promise<void> {
    await this.children.end(true);
    // The run's handle keeps the signal alive.
    this.leader.signal.removeEventListener('abort', this.cancelRunning);
  }

  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    return this.parts.prompter.ask(question, signal);
  }

  async spawn(request: SpawnRequest): Promise<ChildReport> {
    const { agent: name, taskId } = request;
    this.refuseTooDeep('you are there: do it yourself');
    this.children.refuseTooMany();
    const target = await this.chooser.find(name);
    if (taskId !== undefined) this.taskList.board.claim(taskId, name);
    try {
      return await this.children.start(target, request);
    } catch (error) {
      if (taskId !== undefined) this.taskList.board.release(taskId);
      throw error;
    }
  }

  /**
   * Has an agent work, and waits until it has ended, even if the signal aborts, which cancels it. `isOwn`: the agent has no file.
   * Rejects with AbortError, and with ToolFailure if the agent cannot be started.
   */
  async work(target: AgentDefinition, request: WorkRequest, signal: AbortSignal): Promise<ChildReport> {
    throwIfAborted(signal);
    const { earlier, answersAfter, ...asked } = request;
    if (!asked.isOwn) this.refuseTooDeep('this graph is there');
    const place = { agent: target.name, parentId: this.sessionId, answersAfter };
    const known = earlier === undefined ? NO_WORK : await earlierWork(earlier, place, this.leader.sessions);
    if (known.kind === 'answered') return known.report;
    const goesOn = known.kind === 'begun' && { sessionId: known.sessionId, isTold: known.isTold };
    const started = { ...asked, ...goesOn, agent: target.name, callId: null, awaited: true };
    const { id } = await this.children.start(target, started);
    const child = this.children.get(id);
    if (!child) throw new Error(`The agent ${id} was started and is not known.`);
    child.collected = true;
    try {
      return await untilAborted(child.done.promise, signal);
    } catch (error) {
      child.handle?.cancel();
      await child.done.promise;
      throw error;
    }
  }

  /** Returns all agents, whether or not this one may start them. */
  everyAgent(): Promise<readonly AgentDefinition[]> {
    return this.parts.agents();
  }

  async check(id: string): Promise<{ report: ChildReport; escalations: readonly OpenEscalation[] }> {
    const child = this.children.get(id);
    if (!child) return { report: await this.recall(id), escalations: [] };
    return this.told(child);
  }

  async collect(id: string, signal: AbortSignal): ReturnType<TeamDesk['collect']> {
    const child = this.children.get(id);
    if (!child) return { report: await this.recall(id), escalations: [] };
    if (child.isRunning) await this.knownEscalations.untilAsked(child.done.promise, signal);
    return this.told(child);
  }

  async wait(id: string, signal: AbortSignal): Promise<ChildReport> {
    const child = this.children.get(id);
    if (!child) return this.recall(id);
    await untilAborted(child.done.promise, signal);
    return child.report;
  }

  list(): ReturnType<TeamDesk['list']> {
    const agents = this.children.all.map(({ report: { id, agent, session_id, state } }) => ({
      id,
      agent,
      session_id,
      state,
    }));
    const { maxConcurrent } = this.leader.agent.spawning;
    return { active_count: this.children.running.length, max_concurrent: maxConcurrent, agents };
  }

  /** Returns its position in the team, which determines its tools and its prompt. */
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
    if (task.agent !== undefined) {
      if (!this.offers('agent__spawn'))
        throw new ToolFailure('failed', 'You cannot start agents: do the task yourself.');
      await this.chooser.find(task.agent);
    }
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
    const { lineage } = this.parts;
    const mates = [...(lineage?.parent.children.all ?? []), ...this.children.all].filter(({ id }) => id !== this.id);
    const over = overText(mates.find(({ id }) => id === to));
    if (over !== undefined) throw new ToolFailure('failed', over);
    const boxes = new Map(mates.filter(({ isRunning }) => isRunning).map(({ id, inbox }) => [id, inbox]));
    if (lineage) boxes.set('parent', lineage.parent.own);
    postToInbox(to === lineage?.parent.id ? 'parent' : to, boxes, {
      from: this.id,
      payload: { type: 'text', content },
      timestamp: new Date(this.leader.clock.now()).toISOString(),
    });
  }

  inbox(): readonly InboxMessage[] {
    this.toldMail = 0;
    return this.own.splice(0);
  }

  reply(escalationId: string, reply: string): string {
    return this.parts.shared.escalations.reply(escalationId, this.id, reply);
  }

  /** Each level may set a maximum depth, but cannot exceed that of its ancestors. */
  private get maxDepth(): number {
    const own = this.leader.agent.spawning.maxDepth;
    return Math.min(own, this.parts.lineage?.parent.maxDepth ?? own);
  }

  private refuseTooDeep(why: string): void {
    if (this.depth + 1 <= this.maxDepth) return;
    throw new ToolFailure('failed', `Agents may go ${this.maxDepth} deep, and ${why}.`);
  }

  private async childOver(child: Child): Promise<void> {
    if (!child.isAwaited) this.news.push(child);
    if (child.taskId !== undefined) this.taskList.ended(child.taskId, child.report);
    try {
      await this.taskList.dispatch();
    } catch (error) {
      this.leader.log.error('The tasks of an agent could not go on', error);
    } finally {
      for (const waiter of this.waiters.splice(0)) waiter.resolve();
    }
  }

  private endOf(child: Child): string {
    const { id, report } = child;
    child.collected = true;
    const answer = report.output?.trim() ?? '';
    const how = report.state === 'completed' ? report.state : (report.exit_status ?? report.state);
    const said = `The agent ${id} is done (${how}).`;
    return answer === '' ? `${said} It gave no answer.` : `${said} Its answer:\n<answer>\n${answer}\n</answer>`;
  }

  private mail(): string[] {
    const isNew = this.own.length > this.toldMail;
    if (!this.offers('agent__check_inbox')) {
      return this.inbox().map(({ from, payload }) => `Message from ${from}: ${payload.content}`);
    }
    this.toldMail = this.own.length;
    return isNew ? ['There are new messages for you: agent__check_inbox.'] : [];
  }

  private told(child: Child): { report: ChildReport; escalations: readonly OpenEscalation[] } {
    if (!child.isRunning) child.collected = true;
    return { report: child.report, escalations: this.knownEscalations.all() };
  }

  /** Returns the report of an agent from an earlier run of this session. */
  private async recall(id: string): Promise<ChildReport> {
    const { session, sessions, summary, agent, signal } = this.leader;
    const found = await childReportFromDisk(id, session.id, sessions);
    if (!found) throw this.unknown(id);
    const above = agent.spawning.summarizeAbove;
    return { ...found, ...(await shortened(found.output, { ...summary, above, asks: false }, signal)) };
  }

  private unknown(id: string): ToolFailure {
    const known = this.children.all.map(({ id: one }) => one).join(', ');
    return new ToolFailure('bad-arguments', `You started no agent “${id}”.${known && ` You started: ${known}.`}`);
  }

  /** Resolves when a child ends or asks something new, and with `interrupted`. */
  private untilSomething(signal: AbortSignal, interrupted: Promise<void>): Promise<void> {
    const ended = new Deferred<void>();
    this.waiters.push(ended);
    return this.knownEscalations.untilAsked(Promise.race([ended.promise, interrupted]), signal);
  }
}
