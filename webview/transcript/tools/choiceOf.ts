import type { PendingApproval } from '../../../src/protocol/chatState';
import type { ApprovalActions } from '../../actions/approvalActions';
import type { PartChoice } from './DiffView';

/** What of an edit that waits can be left out, and how. */
export function choiceOf({ approvalId, leftOut }: PendingApproval, approvals: ApprovalActions): PartChoice {
  return { approvalId, leftOut, choose: (part, take) => approvals.choosePart(approvalId, part, take) };
}
