import { t } from '../../../src/base/l10n';
import type { PendingApproval } from '../../../src/protocol/chatState';
import { diffParts } from '../../../src/protocol/diffParts';
import type { ChatApprovalAnswer } from '../../../src/protocol/hostApi';
import { Icon, IconButton } from '../../ui/Icon';
import { useOpen, usePanel } from '../../ui/panelContext';
import { Button } from '../../ui/toolkit';
import { AlwaysList, useAllow } from './AlwaysList';
import { ReasonBox } from './ReasonBox';
import { Why } from './Why';

/** The user's possible answers to a request in one row, and why it is asked. */
export function ApprovalBar({ approval }: { approval: PendingApproval }) {
  const { approvals } = usePanel();
  const [hasReason, setHasReason] = useOpen(`reason:${approval.approvalId}`, false);
  const [hasAlways, setHasAlways] = useOpen(`always:${approval.approvalId}`, false);
  const hint = approval.diff ? t('Scroll to the end to accept') : t('Scroll to the end to allow');
  const allow = useAllow([approval.approvalId], hint, keyName('Enter'));
  const answer = (one: ChatApprovalAnswer) => approvals.answer(approval.approvalId, one);
  return (
    <div class="ask">
      <div class="ask-buttons">
        <span class="ask-split">
          <Button kind="primary" main allow={allow} onClick={() => void answer({ kind: 'once' })}>
            {acceptWords(approval)}
            <KeyHint name={keyName('Enter')} />
          </Button>
          {approval.always.length > 0 && (
            <IconButton
              icon="chevron-down"
              label={t('Always…')}
              expanded={hasAlways}
              onClick={() => setHasAlways(!hasAlways)}
            />
          )}
        </span>
        <Button kind="secondary" title={keyName('Backspace')} onClick={() => void answer({ kind: 'reject' })}>
          {t('Reject')}
          <KeyHint name={keyName('Backspace')} />
        </Button>
        <IconButton
          icon="comment"
          label={t('Reject with reason…')}
          expanded={hasReason}
          onClick={() => setHasReason(!hasReason)}
        />
        {approval.diff && <OpenDiff approvalId={approval.approvalId} />}
      </div>
      {hasReason && <ReasonBox draft={approval.approvalId} answer={answer} />}
      {hasAlways && (
        <AlwaysList
          approvalId={approval.approvalId}
          always={approval.always}
          choose={(option) => void answer({ kind: 'always', option })}
        />
      )}
      <Why approval={approval} />
    </div>
  );
}

function OpenDiff({ approvalId }: { approvalId: string }) {
  const { approvals } = usePanel();
  return (
    <button
      type="button"
      class="text-button"
      aria-label={t('Open diff')}
      title={t('Open diff')}
      onClick={() => approvals.openDiff(approvalId)}
    >
      <Icon name="diff" />
      <span class="when-wide">{t('Open diff')}</span>
    </button>
  );
}

/** Shown if there is room; the tooltip always shows it. */
function KeyHint({ name }: { name: string }) {
  return (
    <kbd class="key-hint" aria-hidden="true">
      {name}
    </kbd>
  );
}

/** Returns the label of the button, with the number of accepted parts if some are excluded. */
function acceptWords({ diff, leftOut }: PendingApproval): string {
  if (!diff) return t('Allow');
  const parts = diffParts(diff).length;
  return leftOut.length > 0 ? t('Accept {0} of {1}', parts - leftOut.length, parts) : t('Accept');
}

export const isMac = navigator.userAgent.includes('Mac');

/** Formats a key with the main modifier like the editor: "Ctrl+Enter", "⌘⏎". */
function keyName(key: 'Enter' | 'Backspace'): string {
  if (isMac) return key === 'Enter' ? '⌘⏎' : '⌘⌫';
  return key === 'Enter' ? t('Ctrl+Enter') : t('Ctrl+Backspace');
}
