import { t } from '../../../src/base/l10n';
import type { PendingApproval, ToolEntry } from '../../../src/protocol/chatState';
import { EndMark, ShownText, UnseenWarning } from '../ask/ShownText';
import { ApprovalBar } from '../ask/ApprovalBar';
import { Icon } from '../../ui/Icon';

/** A tool that asks first and is neither an edit nor a command. */
export function AskCard({ entry, approval }: { entry: ToolEntry; approval: PendingApproval }) {
  const title = approval.title || entry.title;
  const text = entry.detail?.kind === 'text' ? entry.detail.text : null;
  return (
    <div class="card" data-approval-id={approval.approvalId}>
      <div class="card-head">
        <div class="fold">
          <span class="lead">
            <Icon name="shield" />
          </span>
          <span class="card-title wraps">
            <ShownText text={title} />
            <EndMark approvalId={approval.approvalId} />
          </span>
        </div>
      </div>
      {text !== null && (
        <pre class="tool-output wraps" dir="ltr" tabIndex={0} role="group" aria-label={t('What this would do')}>
          <ShownText text={text} />
          <EndMark approvalId={approval.approvalId} />
        </pre>
      )}
      <UnseenWarning text={text === null ? title : `${title}\n${text}`} />
      <ApprovalBar approval={approval} />
    </div>
  );
}
