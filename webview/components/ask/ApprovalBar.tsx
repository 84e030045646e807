import type { PendingApproval } from '../../../src/protocol/chatState';
import type { ChatApprovalAnswer } from '../../../src/protocol/hostApi';
import { keyName } from '../../keys/keyName';
import { Icon } from '../Icon';
import { IconButton } from '../IconButton';
import { useDraft, useOpen, usePanel } from '../panelContext';
import { Button, TextField } from '../toolkit';

/** What the person can answer to a request, in one row, and why they are asked. */
export function ApprovalBar({ approval }: { approval: PendingApproval }) {
  const { approvals } = usePanel();
  const [hasReason, setHasReason] = useOpen(`reason:${approval.approvalId}`, false);
  const [hasAlways, setHasAlways] = useOpen(`always:${approval.approvalId}`, false);
  const answer = (one: ChatApprovalAnswer) => void approvals.answer(approval.approvalId, one);
  return (
    <div class="ask">
      <div class="ask-buttons">
        <Button kind="primary" main title={keyName('Enter')} onClick={() => answer({ kind: 'once' })}>
          {approval.diff ? 'Accept' : 'Allow'}
        </Button>
        <Button kind="secondary" title={keyName('Backspace')} onClick={() => answer({ kind: 'reject' })}>
          Reject
        </Button>
        <IconButton
          icon="comment"
          label="Reject with reason…"
          expanded={hasReason}
          onClick={() => setHasReason(!hasReason)}
        />
        {approval.diff && (
          <button
            type="button"
            class="text-button"
            aria-label="Open diff"
            title="Open diff"
            onClick={() => approvals.openDiff(approval.approvalId)}
          >
            <Icon name="diff" />
            <span class="when-wide">Open diff</span>
          </button>
        )}
        {approval.always.length > 0 && (
          <button
            type="button"
            class="text-button at-end"
            aria-expanded={hasAlways}
            title="Allow it from now on"
            onClick={() => setHasAlways(!hasAlways)}
          >
            Always…
          </button>
        )}
      </div>
      {hasReason && <ReasonBox approvalId={approval.approvalId} />}
      {hasAlways && <AlwaysList approval={approval} answer={answer} />}
      {approval.reason !== '' && <p class="ask-why">{approval.reason}</p>}
    </div>
  );
}

function AlwaysList({ approval, answer }: { approval: PendingApproval; answer: (one: ChatApprovalAnswer) => void }) {
  return (
    <ul class="ask-always" aria-label="Allow it from now on">
      {approval.always.map(({ label }, option) => (
        <li key={label}>
          <button type="button" class="menu-item" onClick={() => answer({ kind: 'always', option })}>
            <span>Always allow {label}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function ReasonBox({ approvalId }: { approvalId: string }) {
  const { approvals } = usePanel();
  const [reason, setReason] = useDraft(approvalId);
  const send = async () => {
    const text = reason.trim();
    const answer = text === '' ? { kind: 'reject' as const } : { kind: 'reject' as const, reason: text };
    if (await approvals.answer(approvalId, answer)) setReason('');
  };
  return (
    <div class="ask-text">
      <TextField
        label="Reason"
        placeholder="What should be different?"
        value={reason}
        onInput={setReason}
        onEnter={() => void send()}
        focusOnMount
      />
      <Button kind="secondary" onClick={() => void send()}>
        Send reason
      </Button>
    </div>
  );
}
