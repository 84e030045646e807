import type { ApprovalRequest } from '../../engine';
import type { PendingApproval } from '../../protocol/chatState';

/** A request as the panel shows it, at the entry of its call. */
export function pendingApproval(request: ApprovalRequest): PendingApproval {
  const { id, callId, agent, tool, category, title, reason, diff, command, offers, together } = request;
  const always = offers.map(({ scope, label }) => ({ scope, label }));
  const what = { agent, tool, category, title, reason, diff, command, always };
  return { approvalId: id, entryId: callId, ...what, leftOut: [], together };
}
