import { t } from '../../../src/base/l10n';
import { safeLine } from '../../../src/base/shown/safeText';
import type { TurnEntry } from '../../../src/protocol/chatState';
import { outcomeWords } from '../entryArticle';
import { durationWords, fileWords, tokenWords } from '../../ui/words';
import { Icon } from '../../ui/Icon';
import { PathText } from '../../ui/PathText';
import { useChat, useOpen, usePanel } from '../../ui/panelContext';
import { Button } from '../../ui/toolkit';
import { DiffCount, DiffSum } from '../tools/DiffView';
import { RetryQuestion, TurnActions, useRetry } from './TurnActions';

/** The end of a turn as one unobtrusive line; the files it changed expand below. */
export function TurnSummary({ entry }: { entry: TurnEntry }) {
  const { files, commands, durationMs, inputTokens, outputTokens, outcome, messageId } = entry;
  const [open, setOpen] = useOpen(entry.id, false);
  const retry = useRetry();
  const tokens = inputTokens + outputTokens;
  const facts = [
    ...(commands > 0 ? [commands === 1 ? t('1 command') : t('{0} commands', commands)] : []),
    durationWords(durationMs),
    ...(tokens > 0 ? [tokenWords(tokens)] : []),
  ];
  return (
    <>
      <div class={files.length > 0 ? 'turn has-files' : 'turn'}>
        {outcome !== 'completed' && <span class="outcome">{outcomeWords(outcome)}</span>}
        {files.length > 0 && (
          <button
            type="button"
            class="turn-files"
            title={t('Files changed')}
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <Icon name={open ? 'chevron-down' : 'chevron-right'} />
            <span>{fileWords(files.length)}</span>
            <DiffSum of={files} />
          </button>
        )}
        {facts.map((fact) => (
          <span key={fact} class="fact">
            {fact}
          </span>
        ))}
        <ContinueStopped entry={entry} />
        <TurnActions entry={entry} retry={retry} />
      </div>
      <RetryQuestion retry={retry} messageId={messageId} />
      {open && <ChangedFiles files={files} />}
      <PlanReady entry={entry} />
    </>
  );
}

/** Whether the entry is the last and nothing is running. */
function useIsLast(id: string): boolean {
  return useChat(({ run, entries }) => run === null && entries.at(-1)?.id === id);
}

/** Offers to edit or carry out the plan that was just written. */
function PlanReady({ entry: { id, outcome, mode } }: { entry: TurnEntry }) {
  const { editor } = usePanel();
  const isPlanning = useChat(({ setup }) => setup.mode === 'plan');
  const isLast = useIsLast(id);
  if (outcome !== 'completed' || mode !== 'plan' || !isPlanning || !isLast) return null;
  return (
    <div class="turn-review" role="group" aria-label={t('Plan')}>
      <span class="turn-review-words">{t('The plan is ready')}</span>
      <span class="ask-buttons">
        <Button kind="primary" onClick={() => editor.runCommand('startPlan')}>
          {t('Carry out…')}
        </Button>
        <Button kind="secondary" title={t('Open the plan as a document')} onClick={() => editor.runCommand('openPlan')}>
          {t('Edit')}
        </Button>
      </span>
    </div>
  );
}

/** Offers to continue a run that the user stopped or paused, as long as nothing came after it. */
function ContinueStopped({ entry: { id, outcome } }: { entry: TurnEntry }) {
  const { run } = usePanel();
  const isLast = useIsLast(id);
  if ((outcome !== 'cancelled' && outcome !== 'paused') || !isLast) return null;
  const title = outcome === 'paused' ? t('Continue with the next step') : t('Continue where the agent was stopped');
  return (
    <Button kind="quiet" title={title} onClick={() => run.resume()}>
      {t('Continue')}
    </Button>
  );
}

function ChangedFiles({ files }: Pick<TurnEntry, 'files'>) {
  const { editor } = usePanel();
  return (
    <ul class="changed-files">
      {files.map(({ path, added, removed }) => (
        <li key={path}>
          <button
            type="button"
            class="file-link"
            title={t('Open {0}', safeLine(path, 1000, 'exact'))}
            onClick={() => editor.openFile(path)}
          >
            <span class="path">
              <PathText title={safeLine(path, 1000, 'exact')} path={safeLine(path, 1000, 'exact')} />
            </span>
            <DiffCount added={added} removed={removed} />
          </button>
        </li>
      ))}
    </ul>
  );
}
