import { t } from '../../../src/base/l10n';
import { safeLine } from '../../../src/base/shown/safeText';
import type { FileDiff, PendingApproval, ToolEntry } from '../../../src/protocol/chatState';
import { diffParts } from '../../../src/protocol/diffParts';
import type { ApprovalActions } from '../../actions/approvalActions';
import { Fold } from '../../ui/Fold';
import { IconButton } from '../../ui/Icon';
import { PathText } from '../../ui/PathText';
import { useOpen, usePanel } from '../../ui/panelContext';
import { ApprovalBar } from '../ask/ApprovalBar';
import { UnseenWarning } from '../ask/ShownText';
import { statusWords } from '../entryArticle';
import { DiffCount, DiffView, type PartChoice } from './DiffView';

interface EditCardProps {
  entry: ToolEntry;
  diff: FileDiff;
  approval: PendingApproval | null;
}

/** A change to a file: expanded while it waits for the user, one line when done. */
export function EditCard({ entry, diff, approval }: EditCardProps) {
  const { editor, approvals } = usePanel();
  const [opened, setOpen] = useOpen(entry.id, false);
  const title = safeLine(entry.title, 1000, 'exact');
  const path = safeLine(diff.path, 1000, 'exact');
  const open = approval !== null || opened;
  const leftOut = entry.detail?.kind === 'change' ? entry.detail.leftOut : undefined;
  const isOver =
    entry.status === 'ok' || entry.status === 'rejected' || entry.status === 'cancelled' || entry.status === 'error';
  return (
    <div class={open || !isOver ? 'card' : 'card folded'} data-approval-id={approval?.approvalId}>
      <div class="card-head">
        <Fold open={open} onToggle={approval ? undefined : setOpen} lead={leadOf(entry, approval, open)}>
          <span class={approval ? 'card-title wraps whole' : 'card-title'} title={title}>
            {approval ? title : <PathText title={title} path={path} />}
          </span>
          {isOver && entry.status !== 'ok' && <span class="fold-note">{statusWords(entry.status)}</span>}
          {leftOut && <span class="fold-note">{leftOutWords(diff, leftOut).note}</span>}
        </Fold>
        <IconButton
          icon="go-to-file"
          label={t('Open {0}', path)}
          quiet
          onClick={() => editor.openFile(diff.path, diff.hunks[0]?.newStart)}
        />
        <DiffCount added={diff.added} removed={diff.removed} />
      </div>
      {approval && <UnseenWarning text={diff.path} />}
      {open && diff.hunks.length > 0 && (
        <DiffView diff={diff} {...(approval && { choice: choiceOf(approval, approvals) })} />
      )}
      {open && leftOut && <LeftOut diff={diff} leftOut={leftOut} />}
      {open && entry.status === 'error' && entry.output !== '' && (
        <pre class="tool-output wraps" dir="ltr">
          {entry.output}
        </pre>
      )}
      {approval && <ApprovalBar approval={approval} />}
    </div>
  );
}

/** What was proposed but not written. */
function LeftOut({ diff, leftOut }: { diff: FileDiff; leftOut: FileDiff }) {
  return (
    <div role="group" aria-label={t('Not written')}>
      <p class="left-out-head">{leftOutWords(diff, leftOut).head}</p>
      <DiffView diff={leftOut} />
    </div>
  );
}

/** Returns "1 of 2 changes left out", or that the user changed it, if kept and excluded parts touch. */
function leftOutWords(diff: FileDiff, leftOut: FileDiff): { note: string; head: string } {
  const [kept, left] = [diffParts(diff), diffParts(leftOut)];
  const touches = left.some((one) =>
    kept.some(({ newStart, newEnd }) => one.oldStart <= newEnd && newStart <= one.oldEnd),
  );
  const all = kept.length + left.length;
  if (touches) return { note: t('Changed by you'), head: t('Changed by you. It would have been:') };
  return all === 1
    ? { note: t('1 of 1 change left out'), head: t('1 of 1 change left out. It would have been:') }
    : {
        note: t('{0} of {1} changes left out', left.length, all),
        head: t('{0} of {1} changes left out. It would have been:', left.length, all),
      };
}

function leadOf({ status }: ToolEntry, approval: PendingApproval | null, open: boolean) {
  if (approval) return { icon: 'edit' };
  if (status === 'running' || status === 'preparing' || status === 'waiting') return 'busy' as const;
  if (status === 'error') return { icon: 'error' };
  if (status === 'rejected' || status === 'cancelled') return { icon: 'circle-slash' };
  return open ? ('arrow' as const) : { icon: 'check' };
}

/** Returns the choice of parts for a pending edit. */
export function choiceOf({ approvalId, leftOut }: PendingApproval, approvals: ApprovalActions): PartChoice {
  return { approvalId, leftOut, choose: (part, take) => approvals.choosePart(approvalId, part, take) };
}
