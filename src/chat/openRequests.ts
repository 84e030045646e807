import type { ApprovalRequest, Question } from '../engine';
import type { PendingApproval, PendingQuestion } from '../protocol/chatState';
import type { HostEvent } from '../protocol/hostEvent';

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
