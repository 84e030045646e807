import { t } from '../base/l10n';
import {
  type AgentEvent,
  type AgentState,
  type ApprovalRequest,
  type AssistantMessage,
  attachmentsOf,
  type Question,
  type RunOutcome,
  textOf,
  toolCallsOf,
  type ToolResult,
  type ToolTraits,
  type UserMessage,
  type WorkMode,
} from '../engine';
import type { ChatEntry, ChatUsage, NoticeAction, NoticeEntry, RunStatus, ToolEntry } from '../protocol/chatState';
import type { HostEvent } from '../protocol/hostEvent';
import { AgentEntries, OpenRequests } from './agentEntries';
import { GraphEntries } from './graphEntries';
import { sentItem } from './messageQueue';
import { endOf, failureAction, happeningText, stoppedText } from './notices';
import { activityOf, announcedAs, looksOf, shownDetail, titleAtEnd } from './toolLooks';
import { entryAdded, ReplyEntries, TurnTally } from './turnEntries';

/** The part of an event that the projector needs: what happened and when. Stored sessions are shown by replaying such events. */
export type TimedEvent = Pick<AgentEvent, 'runId' | 'time' | 'agentPath'> & EventBody;
type EventBody = DistributiveOmit<AgentEvent, 'seq' | 'sessionId'>;
type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

type GraphEvent = Extract<TimedEvent, { graphId: string }>;

type SessionEvent = Extract<
  TimedEvent,
  {
    type:
      | 'auto-continued'
      | 'skill-loaded'
      | 'skill-unloaded'
      | 'todo-changed'
      | 'usage-reported'
      | 'session-renamed'
      | 'session-compressing'
      | 'session-compressed'
      | 'notice';
  }
>;

type ToolEvent = Extract<
  TimedEvent,
  { type: 'tool-announced' | 'tool-prepared' | 'tool-started' | 'tool-progress' | 'tool-finished' }
>;
type ReportedUsage = Pick<Extract<TimedEvent, { type: 'usage-reported' }>, 'usage' | 'contextWindow' | 'costUsd'>;

/** Turns agent events into chat events. Keeps only the state it needs for the current turn. */
export class EventProjector {
  private run: RunStatus | null = null;
  private entries = 0;
  private readonly reply = new ReplyEntries((kind) => this.nextId(kind));
  private readonly tools = new Map<string, ToolEntry>();
  /** A chat that attaches mid-run receives events for calls that are already in the session. */
  private readonly finishedCalls = new Set<string>();
  private readonly graphs = new GraphEntries(() => this.nextId('graph'));
  private readonly agents = new AgentEntries(
    () => this.nextId('agent'),
    (tool) => this.traitsOf(tool),
  );
  private readonly asked = new OpenRequests();
  private messageId: string | null = null;
  private tally = new TurnTally();
  private usage: ChatUsage = {
    inputTokens: 0,
    outputTokens: 0,
    contextTokens: 0,
    contextWindow: null,
    costUsd: null,
  };
  private isPriced = true;

  /** `traitsOf`: a tool's traits, by the name it was called with. */
  constructor(private readonly traitsOf: (tool: string) => ToolTraits | undefined = () => undefined) {}

  project(event: TimedEvent): HostEvent[] {
    if ('graphId' in event) return this.projectGraph(event);
    switch (event.type) {
      case 'run-started':
        return this.runStarted(event, '', event.workMode);
      case 'message-taken':
        return this.messageTaken(event.message);
      case 'text-delta':
        return this.textDelta(event);
      case 'text-finished':
      case 'reply-finished':
        return [...this.reply.end(event.time), ...('message' in event ? this.dropUnfinishedCalls(event.message) : [])];
      case 'thinking-delta':
      case 'thinking-finished':
        return this.thinking(event);
      case 'tool-announced':
      case 'tool-prepared':
      case 'tool-started':
      case 'tool-progress':
      case 'tool-finished':
        return this.projectTool(event);
      case 'approval-requested':
        return this.approvalRequested(event.request);
      case 'question-asked':
        return this.questionAsked(event.question);
      case 'approval-answered':
      case 'question-answered':
        return this.asked.close('requestId' in event ? event.requestId : event.questionId);
      case 'state-changed':
        return this.stateChanged(event, event.state);
      case 'agent-spawned':
        return this.agentSpawned(event);
      case 'agent-finished':
        return this.agentFinished(event);
      case 'checkpoint-taken':
        return [];
      case 'run-finished':
        return this.runFinished(event);
      default:
        // The types ensure that only these are left: any other event would not be a SessionEvent.
        return this.projectSession(event);
    }
  }

  private projectGraph(event: GraphEvent): HostEvent[] {
    const begins = event.type === 'node-started';
    const now = begins ? this.status({ state: 'running-tool', activity: event.node }) : [];
    return [...this.graphs.project(event), ...now];
  }

  /** Projects an event of an agent that this one started, or of a descendant. */
  projectAgent(event: AgentEvent): HostEvent[] {
    const { waits: before } = this.agents;
    const events = this.agents.project(event);
    const usage = event.type === 'usage-reported' ? this.usageReported(event, true) : [];
    const { waits } = this.agents;
    if (waits === before) return [...events, ...usage];
    if (waits === undefined) return [...events, ...this.atWork()];
    const state = waits === 'approval' ? 'waiting-for-approval' : 'waiting-for-answer';
    return [...events, ...this.status({ state, activity: '' })];
  }

  private agentSpawned(event: Extract<TimedEvent, { type: 'agent-spawned' }>): HostEvent[] {
    return [...this.reply.end(event.time), entryAdded(this.agents.spawned(event, event.time))];
  }

  private agentFinished(event: Extract<TimedEvent, { type: 'agent-finished' }>): HostEvent[] {
    // Counted only when the agent finishes, so that a replayed session yields the same totals.
    this.tally.addAgent(event);
    const { events, unseen } = this.agents.finished(event);
    if (unseen.tokens <= 0) return [...events, ...this.atWork()];
    const usage = { inputTokens: unseen.tokens, outputTokens: 0 };
    return [...events, ...this.usageReported({ usage, contextWindow: null, costUsd: unseen.costUsd }, true)];
  }

  private stateChanged(event: TimedEvent, state: AgentState): HostEvent[] {
    // Shown before the run's first event, so that the user sees that it waits and can stop it.
    if (state === 'waiting-for-session') return this.runStarted(event, t('Waiting for another window'));
    if (state === 'thinking') return this.status({ state: 'thinking', activity: '' });
    return state === 'waiting-for-agent' ? this.atWork() : [];
  }

  /** The status while the agent waits for those it started. */
  private atWork(): HostEvent[] {
    const { count } = this.agents;
    if (count === 0 || this.asked.newest || this.agents.waits) return [];
    return this.status({
      state: 'running-tool',
      activity: count === 1 ? t('1 agent running') : t('{0} agents running', count),
    });
  }

  private messageTaken(message: UserMessage): HostEvent[] {
    if (!message.steering) this.messageId = message.id;
    return [entryAdded(userEntry(message))];
  }

  private textDelta({ text, agentPath, time }: Extract<TimedEvent, { type: 'text-delta' }>): HostEvent[] {
    return [
      ...this.status({ state: 'answering', activity: '' }),
      ...this.reply.textDelta(text, agentPath.join(' › '), time),
    ];
  }

  private thinking(event: Extract<TimedEvent, { type: 'thinking-delta' | 'thinking-finished' }>): HostEvent[] {
    if (event.type === 'thinking-finished') return this.reply.endThinking(event.time);
    return this.reply.thinkingDelta(event.text, event.time);
  }

  private projectTool(event: ToolEvent): HostEvent[] {
    switch (event.type) {
      case 'tool-announced':
      case 'tool-prepared':
        return this.toolAnnounced(event);
      case 'tool-started':
        return this.toolStarted(event.callId, event.time);
      case 'tool-progress':
        return [{ type: 'tool-output-appended', entryId: event.callId, text: event.chunk }];
      case 'tool-finished':
        return this.toolFinished(event.result);
    }
  }

  private projectSession(event: SessionEvent): HostEvent[] {
    switch (event.type) {
      case 'todo-changed':
        return [{ type: 'todos-changed', todos: event.items }];
      case 'usage-reported':
        return this.usageReported(event, event.aside);
      case 'session-renamed':
        return [{ type: 'title-changed', title: event.title }];
      case 'session-compressing':
        return this.status({ state: 'thinking', activity: t('Compacting conversation…') });
      case 'session-compressed':
        return [this.compacted(event.text)];
      case 'notice':
        return [this.notice(event.level, event.text, null), ...this.waiting(event)];
      default:
        return [this.notice('quiet', happeningText(event), null)];
    }
  }

  /** A notice for the user that no agent reported. */
  notice(
    level: NoticeEntry['level'],
    text: string,
    action: NoticeAction | null,
    detail?: NoticeEntry['detail'],
  ): HostEvent {
    return entryAdded({ kind: 'notice', id: this.nextId('notice'), level, text, action, ...(detail && { detail }) });
  }

  private runStarted({ runId, agentPath, time }: TimedEvent, activity = '', mode?: WorkMode): HostEvent[] {
    this.tally = new TurnTally(mode);
    const agent = agentPath.join(' › ');
    return [
      { type: 'resumable-changed', canResume: false },
      this.runChanged({ runId, agent, startedAt: time, state: 'thinking', activity }),
    ];
  }

  private toolAnnounced(event: Extract<TimedEvent, { type: 'tool-announced' | 'tool-prepared' }>): HostEvent[] {
    const { callId, tool, category, time } = event;
    if (this.finishedCalls.has(callId)) return [];
    const known = this.tools.get(callId);
    if (known) {
      const title = event.type === 'tool-prepared' ? event.title : known.title;
      known.title = title;
      return [{ type: 'tool-changed', entryId: callId, changes: { title } }];
    }
    const entry: ToolEntry = {
      kind: 'tool',
      id: callId,
      tool,
      category,
      title: event.type === 'tool-prepared' ? event.title : announcedAs(tool, this.traitsOf(tool)),
      status: 'preparing',
      startedAt: null,
      durationMs: null,
      output: '',
      detail: null,
      ...looksOf(this.traitsOf(tool), category),
    };
    this.tools.set(callId, { ...entry });
    return [...this.reply.end(time), entryAdded(entry)];
  }

  /** A call that the model did not finish writing will never run. */
  private dropUnfinishedCalls(message: AssistantMessage): HostEvent[] {
    const whole = new Set(toolCallsOf(message).map(({ id }) => id));
    return [...this.tools.keys()]
      .filter((id) => !whole.has(id))
      .map((id) => {
        const changes = { status: 'cancelled' as const, ...titleAtEnd(this.tools.get(id), this.traitsOf) };
        this.tools.delete(id);
        return { type: 'tool-changed', entryId: id, changes };
      });
  }

  private toolStarted(callId: string, time: number): HostEvent[] {
    const tool = this.tools.get(callId);
    return [
      { type: 'tool-changed', entryId: callId, changes: { status: 'running', startedAt: time } },
      ...this.status({ state: 'running-tool', activity: tool ? activityOf(tool.title, this.traitsOf(tool.tool)) : '' }),
    ];
  }

  private toolFinished(result: ToolResult): HostEvent[] {
    const tool = this.tools.get(result.callId);
    this.tools.delete(result.callId);
    this.finishedCalls.add(result.callId);
    if (tool) this.tally.count(tool, result);
    const left = this.asked.closeOf(result.callId);
    const detail = shownDetail(result);
    const { status, durationMs } = result;
    const changes = { status, durationMs, detail, ...titleAtEnd(tool, this.traitsOf) };
    const changed: HostEvent = { type: 'tool-changed', entryId: result.callId, changes };
    const waits = this.asked.has('approval') ? this.status({ state: 'waiting-for-approval', activity: '' }) : [];
    return [...left, changed, ...waits];
  }

  private approvalRequested(request: ApprovalRequest): HostEvent[] {
    const { callId } = request;
    const approval = this.asked.approval(request, callId);
    return [
      { type: 'tool-changed', entryId: callId, changes: { status: 'waiting' } },
      { type: 'approval-added', approval },
      ...this.status({ state: 'waiting-for-approval', activity: '' }),
    ];
  }

  private questionAsked(question: Question): HostEvent[] {
    return [
      { type: 'question-added', question: this.asked.question(question, question.callId) },
      ...this.status({ state: 'waiting-for-answer', activity: '' }),
    ];
  }

  /** `aside`: the usage says nothing about the length of the conversation. */
  private usageReported({ usage, contextWindow, costUsd }: ReportedUsage, aside = false): HostEvent[] {
    const own = { contextTokens: usage.inputTokens + usage.outputTokens, contextWindow };
    this.tally.addUsage(usage);
    // Once one cost is unknown, the total is unknown.
    this.isPriced &&= costUsd !== null;
    this.usage = {
      inputTokens: this.usage.inputTokens + usage.inputTokens,
      outputTokens: this.usage.outputTokens + usage.outputTokens,
      ...(aside ? { contextTokens: this.usage.contextTokens, contextWindow: this.usage.contextWindow } : own),
      costUsd: this.isPriced ? (this.usage.costUsd ?? 0) + (costUsd ?? 0) : null,
    };
    return [{ type: 'usage-changed', usage: this.usage }];
  }

  private runFinished(event: Extract<TimedEvent, { type: 'run-finished' }>): HostEvent[] {
    const { outcome, durationMs, time, runId } = event;
    const events = [
      ...this.reply.end(time),
      ...this.agents.interrupted(),
      ...this.graphs.ended(endOf(outcome), time),
      ...this.outcomeNotice(outcome),
    ];
    const turn = this.tally.entry(
      { id: this.nextId('turn'), runId, messageId: this.messageId },
      endOf(outcome),
      durationMs,
    );
    this.run = null;
    return [...events, entryAdded(turn), { type: 'run-changed', run: null }];
  }

  private compacted(text: string): HostEvent {
    const words = t('Conversation compacted. The full history stays visible here.');
    return this.notice('info', words, null, { title: t('Summary'), text });
  }

  private outcomeNotice(outcome: RunOutcome): HostEvent[] {
    if (outcome.kind === 'limit-reached') {
      return [this.notice('warning', stoppedText(outcome.limit), { label: t('Continue'), resume: true })];
    }
    return outcome.kind === 'failed' ? [this.notice('error', outcome.message, failureAction(outcome.reason))] : [];
  }

  private runChanged(run: RunStatus): HostEvent {
    this.run = run;
    return { type: 'run-changed', run };
  }

  private status(change: Pick<RunStatus, 'state' | 'activity'>): HostEvent[] {
    const { run } = this;
    if (!run || (run.state === change.state && run.activity === change.activity)) return [];
    return [this.runChanged({ ...run, ...change })];
  }

  private waiting({ time, waitMs }: Extract<TimedEvent, { type: 'notice' }>): HostEvent[] {
    return this.run && waitMs ? [this.runChanged({ ...this.run, retryAt: time + waitMs })] : [];
  }

  private nextId(kind: string): string {
    return `${kind}-${++this.entries}`;
  }
}

function userEntry(message: UserMessage): ChatEntry {
  const { id, time, steering } = message;
  return { kind: 'user', id, time, text: textOf(message), steering, items: attachmentsOf(message).map(sentItem) };
}
