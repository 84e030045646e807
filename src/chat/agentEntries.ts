import { t } from '../base/l10n';
import type {
  AgentEvent,
  ApprovalRequest,
  FinishedAgent,
  Question,
  RunOutcome,
  SpawnedAgent,
  ToolTraits,
} from '../engine';
import type { AgentEntry, PendingApproval, PendingQuestion } from '../protocol/chatState';
import type { AgentChanges, HostEvent } from '../protocol/hostEvent';
import { childStoppedText, endOf } from './notices';
import { activityOf } from './toolLooks';

/** A spawned agent that is still running. */
interface Working {
  entryId: string;
  agent: string;
  activity: string;
  tokens: number;
  costUsd: number;
}

/** What an agent's chat shows of the agents it started: a card for each, and their requests. */
export class AgentEntries {
  /** Keyed by the session of an agent or of any descendant. */
  private readonly bySession = new Map<string, Working>();
  private readonly byId = new Map<string, Working>();
  private readonly titles = new Map<string, string>();
  /** Requests waiting for the user, with the session that asked. */
  private readonly asked = new OpenRequests();

  constructor(
    private readonly nextId: () => string,
    private readonly traitsOf: (tool: string) => ToolTraits | undefined,
  ) {}

  get count(): number {
    return this.byId.size;
  }

  spawned({ agentId, agent, childSessionId, task }: SpawnedAgent, time: number): AgentEntry {
    const working = { entryId: this.nextId(), agent, activity: '', tokens: 0, costUsd: 0 };
    this.bySession.set(childSessionId, working);
    this.byId.set(agentId, working);
    return {
      kind: 'agent',
      id: working.entryId,
      agent,
      sessionId: childSessionId,
      task,
      status: 'running',
      activity: '',
      startedAt: time,
      durationMs: null,
      tokens: 0,
      costUsd: 0,
      answer: null,
    };
  }

  /** `unseen`: usage that was not reported while the agent ran, as when a stored session is replayed. */
  finished({ agentId, outcome, durationMs, tokens, costUsd, unpriced }: FinishedAgent) {
    const working = this.byId.get(agentId);
    if (!working) return { events: [], unseen: { tokens: 0, costUsd: 0 } };
    this.byId.delete(agentId);
    const unseen = { tokens: tokens - working.tokens, costUsd: unpriced ? null : costUsd - working.costUsd };
    const answer = answerOf(outcome);
    return {
      events: [changed(working, { status: endOf(outcome), activity: '', durationMs, tokens, costUsd, answer })],
      unseen,
    };
  }

  /** Marks agents that never finished although the run is over, because the process exited in the meantime. */
  interrupted(): HostEvent[] {
    const left = [...this.byId.values()];
    this.byId.clear();
    return left.map((working) => changed(working, { status: 'interrupted', activity: '' }));
  }

  /** Projects an event of one of these agents or of a descendant. */
  project(event: AgentEvent): HostEvent[] {
    const working = this.bySession.get(event.sessionId);
    if (!working) return [];
    switch (event.type) {
      case 'agent-spawned':
        this.bySession.set(event.childSessionId, working);
        return [];
      case 'tool-prepared':
        this.titles.set(event.callId, activityOf(event.title, this.traitsOf(event.tool)));
        return [];
      case 'tool-started':
        return doing(working, this.titles.get(event.callId) ?? '');
      case 'tool-finished':
        this.titles.delete(event.result.callId);
        return [];
      case 'thinking-delta':
        return doing(working, t('Thinking'));
      case 'text-delta':
        return doing(working, t('Answering'));
      case 'notice':
        return event.waitMs ? doing(working, event.text) : [];
      case 'usage-reported':
        working.tokens += event.usage.inputTokens + event.usage.outputTokens;
        working.costUsd += event.costUsd ?? 0;
        return [changed(working, { tokens: working.tokens, costUsd: working.costUsd })];
      case 'approval-requested':
        return [this.approvalAdded(event.request, event.sessionId, working)];
      case 'question-asked':
        return [this.questionAdded(event.question, event.sessionId, working)];
      case 'approval-answered':
        return this.asked.close(event.requestId);
      case 'question-answered':
        return this.asked.close(event.questionId);
      case 'run-finished':
        return this.asked.closeOf(event.sessionId);
      default:
        return [];
    }
  }

  get waits(): 'approval' | 'question' | undefined {
    return this.asked.newest;
  }

  private approvalAdded(request: ApprovalRequest, sessionId: string, { entryId }: Working): HostEvent {
    const approval = this.asked.approval(request, sessionId);
    const title = `${request.agent}: ${request.title}`;
    // Its calls have no entries in this chat, so each approval is on its own.
    return { type: 'approval-added', approval: { ...approval, entryId, title, together: [entryId] } };
  }

  private questionAdded(asked: Question, sessionId: string, { entryId }: Working): HostEvent {
    const question = t('{0} asks: {1}', asked.agent, asked.question);
    return { type: 'question-added', question: { ...this.asked.question(asked, sessionId), entryId, question } };
  }
}

/** Emits only changes, so that twenty streaming agents emit nothing for most of their events. */
function doing(working: Working, activity: string): HostEvent[] {
  if (working.activity === activity) return [];
  working.activity = activity;
  return [changed(working, { activity })];
}

function changed({ entryId }: Working, changes: AgentChanges): HostEvent {
  return { type: 'agent-changed', entryId, changes };
}

function answerOf(outcome: RunOutcome): string {
  switch (outcome.kind) {
    case 'completed':
    case 'rejected':
      return outcome.answer;
    case 'failed':
      return outcome.message;
    case 'limit-reached':
      return childStoppedText(outcome.limit);
    case 'cancelled':
      return '';
  }
}

type Kind = 'approval' | 'question';

/** The requests of a chat that wait for the user, each with its asker: a call, or another agent's session. */
export class OpenRequests {
  private readonly open = new Map<string, { kind: Kind; asker: string }>();

  /** The kind of the newest request; undefined if none is pending. */
  get newest(): Kind | undefined {
    return [...this.open.values()].at(-1)?.kind;
  }

  has(kind: Kind): boolean {
    return [...this.open.values()].some((one) => one.kind === kind);
  }

  /** Adds an approval. Returns it as shown in the panel, at the entry of its call. */
  approval(request: ApprovalRequest, asker: string): PendingApproval {
    const { id, callId, agent, tool, category, title, reason, usual, diff, command, offers, together } = request;
    this.open.set(id, { kind: 'approval', asker });
    const always = offers.map(({ scope, label }) => ({ scope, label }));
    const what = { agent, tool, category, title, reason, usual, diff, command, always };
    return { approvalId: id, entryId: callId, ...what, leftOut: [], together };
  }

  /** Adds a question. Returns it as shown in the panel, at the entry of its call. */
  question({ id, callId, agent, question, kind, options }: Question, asker: string): PendingQuestion {
    this.open.set(id, { kind: 'question', asker });
    return { questionId: id, entryId: callId, agent, question, kind, options };
  }

  /** Removes a request that was answered or that no longer needs an answer. */
  close(id: string): HostEvent[] {
    const one = this.open.get(id);
    if (!one) return [];
    this.open.delete(id);
    return [
      one.kind === 'approval'
        ? { type: 'approval-removed', approvalId: id }
        : { type: 'question-removed', questionId: id },
    ];
  }

  /** Removes the asker's remaining requests. */
  closeOf(asker: string): HostEvent[] {
    return [...this.open].filter(([, one]) => one.asker === asker).flatMap(([id]) => this.close(id));
  }
}
