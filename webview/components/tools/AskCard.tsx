import type { PendingApproval, ToolEntry } from '../../../src/protocol/chatState';
import { ApprovalBar } from '../ask/ApprovalBar';
import { Icon } from '../Icon';

/** A tool that asks first and is neither an edit nor a command. */
export function AskCard({ entry, approval }: { entry: ToolEntry; approval: PendingApproval }) {
  return (
    <div class="card" data-approval-id={approval.approvalId}>
      <div class="card-head">
        <div class="fold">
          <span class="lead">
            <Icon name="shield" />
          </span>
          <span class="card-title">{approval.title || entry.title}</span>
        </div>
      </div>
      {entry.detail?.kind === 'text' && (
        <pre class="tool-output scrolls-aside" dir="ltr" tabIndex={0} role="group" aria-label="What it would do">
          {entry.detail.text}
        </pre>
      )}
      <ApprovalBar approval={approval} />
    </div>
  );
}
