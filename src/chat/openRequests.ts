import type { ApprovalRequest, Question } from '../engine';
import type { PendingApproval, PendingQuestion } from '../protocol/chatState';
import type { HostEvent } from '../protocol/hostEvent';

type Kind = 'approval' | 'question';

/** What waits for the person in a chat, each with the one that asks: a call, or the session of another agent. */
export class OpenRequests {
  private readonly open = new Map<string, { kind: Kind; asker: string }>();

  /** What the newest is; undefined when nothing waits. */
  get newest(): Kind | undefined {
    return [...this.open.values()].at(-1)?.kind;
  }

  has(kind: Kind): boolean {
    return [...this.open.values()].some((one) => one.kind === kind);
  }

  /** A request as the panel shows it, at the entry of its call. */
  approval(request: ApprovalRequest, asker: string): PendingApproval {
    const { id, callId, agent, tool, category, title, reason, usual, diff, command, offers, together } = request;
    this.open.set(id, { kind: 'approval', asker });
    const always = offers.map(({ scope, label }) => ({ scope, label }));
    const what = { agent, tool, category, title, reason, usual, diff, command, always };
    return { approvalId: id, entryId: callId, ...what, leftOut: [], together };
  }

  /** A question as the panel shows it, at the entry of its call. */
  question({ id, callId, agent, question, kind, options }: Question, asker: string): PendingQuestion {
    this.open.set(id, { kind: 'question', asker });
    return { questionId: id, entryId: callId, agent, question, kind, options };
  }

  /** It is answered, or nobody waits for the answer any more. */
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

  /** What this one asked and what is left open. */
  closeOf(asker: string): HostEvent[] {
    return [...this.open].filter(([, one]) => one.asker === asker).flatMap(([id]) => this.close(id));
  }
}
