import { t } from '../../../src/base/l10n';
import { safeLine } from '../../../src/base/shown/safeText';
import type { PendingApproval } from '../../../src/protocol/chatState';
import { useOpen, usePanel } from '../../ui/panelContext';

/** Objections, or the rule that asks, are shown immediately; that the mode asks, only on request. */
export function Why({ approval: { approvalId, reason, usual } }: { approval: PendingApproval }) {
  const { editor } = usePanel();
  const [isTold, setTold] = useOpen(`why:${approvalId}`, false);
  if (reason === '') return null;
  if (!usual) return <p class="ask-why">{safeLine(reason, 2000)}</p>;
  return (
    <p class="ask-why">
      <button type="button" class="text-button" aria-expanded={isTold} onClick={() => setTold(!isTold)}>
        {t('Why am I asked?')}
      </button>
      {isTold && (
        <>
          {' '}
          {safeLine(reason, 2000)}{' '}
          <button type="button" class="text-button" onClick={() => editor.runCommand('showPermissions')}>
            {t('Show permissions')}
          </button>
        </>
      )}
    </p>
  );
}
