import { t } from '../../src/base/l10n';
import type { GraphRunView } from '../../src/protocol/graphPage';
import type { PageAction } from '../../src/protocol/pages';
import { isAtWork } from './visitWords';

interface RunToolsProps {
  run: GraphRunView;
  act: (action: PageAction) => void;
}

/** Actions on a whole run. */
export function RunTools({ run: { state, comparison }, act }: RunToolsProps) {
  const canGoOn = state === 'interrupted' || state === 'failed' || state === 'stopped' || state === 'paused';
  const button = (words: string, title: string, action: PageAction) => (
    <button type="button" class="page-button" title={title} onClick={() => act(action)}>
      {words}
    </button>
  );
  return (
    <div class="graph-run-tools" role="group" aria-label={t('Run')}>
      {isAtWork(state) && button(t('Pause'), t('Pause once the running nodes are done'), { kind: 'pause-run' })}
      {isAtWork(state) && button(t('Stop'), t('Stop at once'), { kind: 'stop-run' })}
      {canGoOn && button(t('Continue'), t('Continue where it stopped'), { kind: 'continue-run' })}
      {comparison
        ? button(t('Close comparison'), t('Show the run alone'), { kind: 'hide-comparison' })
        : button(t('Compare…'), t('Compare with another run'), { kind: 'compare-run' })}
    </div>
  );
}
