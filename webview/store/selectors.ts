import type { ChatState, PendingApproval, PendingQuestion, ToolEntry } from '../../src/protocol/chatState';

/** What waits for the person. */
export type Waiting =
  | { kind: 'approval'; entryId: string; id: string; title: string }
  | { kind: 'question'; entryId: string; id: string; title: string };

/** The oldest thing that waits for the person, approvals first. */
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

/** The entries of the edits that wait together with this one; null when it is alone or none of them waits any more. */
export function editsWith({ approvals }: Pick<ChatState, 'approvals'>, entryId: string): readonly string[] | null {
  const one = approvals.find(({ together }) => together.length > 1 && together.includes(entryId));
  return one?.together ?? null;
}

export function questionOf(state: ChatState, entryId: string): PendingQuestion | null {
  return state.questions.find((one) => one.entryId === entryId) ?? null;
}

/** The tool that runs now, the last when several do. */
export function runningTool({ entries }: ChatState): ToolEntry | null {
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry?.kind === 'user') return null;
    if (entry?.kind === 'tool' && entry.status === 'running') return entry;
  }
  return null;
}
