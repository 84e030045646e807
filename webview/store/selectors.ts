import type { ChatState, PendingApproval, PendingQuestion, ToolEntry } from '../../src/protocol/chatState';

/** A request that waits for the user. */
type Waiting =
  | { kind: 'approval'; entryId: string; id: string; title: string }
  | { kind: 'question'; entryId: string; id: string; title: string };

/** Returns the oldest request that waits for the user, approvals first. */
export function firstWaiting({ approvals, questions }: Pick<ChatState, 'approvals' | 'questions'>): Waiting | null {
  const [approval] = approvals;
  if (approval) return { kind: 'approval', entryId: approval.entryId, id: approval.approvalId, title: approval.title };
  const [question] = questions;
  if (question)
    return { kind: 'question', entryId: question.entryId, id: question.questionId, title: question.question };
  return null;
}

export function approvalOf(state: ChatState, entryId: string): PendingApproval | null {
  return state.approvals.find((one) => one.entryId === entryId) ?? null;
}

/** Returns the entries of the edits that wait together with this one; null if it is alone or none is waiting anymore. */
export function editsWith({ approvals }: Pick<ChatState, 'approvals'>, entryId: string): readonly string[] | null {
  const one = approvals.find(({ together }) => together.length > 1 && together.includes(entryId));
  return one?.together ?? null;
}

export function questionOf(state: ChatState, entryId: string): PendingQuestion | null {
  return state.questions.find((one) => one.entryId === entryId) ?? null;
}

/** Returns the running tool, or the last if there are several. */
export function runningTool({ entries }: ChatState): ToolEntry | null {
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry?.kind === 'user') return null;
    if (entry?.kind === 'tool' && entry.status === 'running') return entry;
  }
  return null;
}
