import { t } from '../../../src/base/l10n';
import type { ChatApprovalAnswer } from '../../../src/protocol/hostApi';
import { useDraft } from '../../ui/panelContext';
import { Button, TextField } from '../../ui/toolkit';

/** Rejects with a reason for the model. The text is kept under the draft key until it has been sent. */
export function ReasonBox(props: { draft: string; answer: (answer: ChatApprovalAnswer) => Promise<boolean> }) {
  const [reason, setReason] = useDraft(props.draft);
  const send = async () => {
    const text = reason.trim();
    if (await props.answer({ kind: 'reject', ...(text !== '' && { reason: text }) })) setReason('');
  };
  return (
    <div class="ask-text">
      <TextField
        label={t('Reason')}
        placeholder={t('What should the agent do instead?')}
        value={reason}
        onInput={setReason}
        onEnter={() => void send()}
        focusOnMount
      />
      <Button kind="secondary" onClick={() => void send()}>
        {t('Send reason')}
      </Button>
    </div>
  );
}
