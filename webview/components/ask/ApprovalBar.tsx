import type { PendingApproval } from '../../../src/protocol/chatState';
import type { ChatApprovalAnswer } from '../../../src/protocol/hostApi';
import { keyName } from '../../keys/keyName';
import { useDraft, useOpen, usePanel } from '../panelContext';
import { Button, TextField } from '../toolkit';

/** What the person can answer to a request, and why they are asked. */
export function ApprovalBar({ approval }: { approval: PendingApproval }) {
  const { approvals } = usePanel();
  const [hasReason, setHasReason] = useOpen(`reason:${approval.approvalId}`, false);
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
        {approval.diff && (
          <Button kind="quiet" onClick={() => approvals.openDiff(approval.approvalId)}>
            Open diff
          </Button>
        )}
      </div>
      <div class="ask-more">
        <button type="button" class="more" aria-expanded={hasReason} onClick={() => setHasReason(!hasReason)}>
          Reject with reason…
        </button>
        {approval.always.map(({ label }, option) => (
          <button type="button" class="more" key={label} onClick={() => answer({ kind: 'always', option })}>
            Always allow {label}
          </button>
        ))}
      </div>
      {hasReason && <ReasonBox approvalId={approval.approvalId} />}
      {approval.reason !== '' && <p class="ask-why">{approval.reason}</p>}
    </div>
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
