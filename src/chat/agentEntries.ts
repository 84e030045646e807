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
import type { AgentEntry } from '../protocol/chatState';
import type { AgentChanges, HostEvent } from '../protocol/hostEvent';
import { childStoppedText } from './notices';
import { OpenRequests } from './openRequests';
import { activityOf } from './toolLooks';

/** An agent that was started, while it works. */
interface Working {
  entryId: string;
  agent: string;
  activity: string;
  tokens: number;
  costUsd: number;
}

/** What the chat of an agent shows of those that it started: a card for each, and what they ask. */
export class AgentEntries {
  /** By the session of an agent, or of one that it started in its turn. */
  private readonly bySession = new Map<string, Working>();
  private readonly byId = new Map<string, Working>();
  private readonly titles = new Map<string, string>();
  /** What waits for the person: the session and call of the one that asks. */
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

  /** `unseen`: what it used that was not told while it worked, as when a stored session is shown. */
  finished({ agentId, outcome, durationMs, tokens, costUsd, unpriced }: FinishedAgent) {
    const working = this.byId.get(agentId);
    if (!working) return { events: [], unseen: { tokens: 0, costUsd: 0 } };
    this.byId.delete(agentId);
    const unseen = { tokens: tokens - working.tokens, costUsd: unpriced ? null : costUsd - working.costUsd };
    const answer = answerOf(outcome);
    return {
      events: [changed(working, { status: outcome.kind, activity: '', durationMs, tokens, costUsd, answer })],
      unseen,
    };
  }

  /** Those that have no end although the run is over: the program went away meanwhile. */
  interrupted(): HostEvent[] {
    const left = [...this.byId.values()];
    this.byId.clear();
    return left.map((working) => changed(working, { status: 'interrupted', activity: '' }));
  }

  /** Something that happened to one of them, or to one below. */
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
    // Its calls have no entries here, so each stands alone.
    return { type: 'approval-added', approval: { ...approval, entryId, title, together: [entryId] } };
  }

  private questionAdded(asked: Question, sessionId: string, { entryId }: Working): HostEvent {
    const question = t('{0} asks: {1}', asked.agent, asked.question);
    return { type: 'question-added', question: { ...this.asked.question(asked, sessionId), entryId, question } };
  }
}

/** Only what is new, so that twenty agents that stream say nothing for most of their events. */
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
