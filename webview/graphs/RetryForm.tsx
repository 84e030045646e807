import { useId, useState } from 'preact/hooks';
import { t } from '../../src/base/l10n';
import type { VisitDetailView } from '../../src/protocol/graphPage';
import type { PageAction } from '../../src/protocol/pages';

interface RetryFormProps {
  detail: VisitDetailView;
  act: (action: PageAction) => void;
}

/** Retries a run from a node, with a state that the user may edit first. */
export function RetryForm({ detail: { step, before, isWhole }, act }: RetryFormProps) {
  const [state, setState] = useState(before);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (!isOpen) {
    return (
      <button type="button" class="page-button" onClick={() => setOpen(true)}>
        {t('Retry from here…')}
      </button>
    );
  }
  const retry = () => act({ kind: 'retry-run', step, state: isWhole && state !== before ? state : null });
  return (
    <form
      class="graph-retry"
      onSubmit={(event) => {
        event.preventDefault();
        retry();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false);
      }}
    >
      {isWhole ? (
        <>
          <label for={id}>{t('State to begin with, as JSON')}</label>
          <textarea
            id={id}
            rows={Math.min(14, Math.max(4, state.split('\n').length))}
            spellcheck={false}
            value={state}
            onInput={(event) => setState(event.currentTarget.value)}
          />
        </>
      ) : (
        <p>{t('The state is too large to be changed here.')}</p>
      )}
      <p class="graph-row-ways">
        {t('A new run begins here. This one stays as it is; what was answered before this point is not asked again.')}
      </p>
      <button type="submit" class="page-button">
        {t('Retry')}
      </button>{' '}
      <button type="button" class="page-button" onClick={() => setOpen(false)}>
        {t('Cancel')}
      </button>
    </form>
  );
}
