import { t } from '../../src/base/l10n';
import { safeLine } from '../../src/base/shown/safeText';
import type { FileToReview } from '../../src/protocol/chatState';
import { DiffSum } from '../transcript/tools/DiffView';
import type { TranscriptList } from '../transcript/transcriptList';
import { useChat, usePanel } from '../ui/panelContext';
import { Button } from '../ui/toolkit';

/** What turns changed without asking, visible until kept or undone: one row per turn, oldest first. */
export function ReviewBar({ transcript }: { transcript: TranscriptList }) {
  const toReview = useChat((state) => state.toReview);
  const { chat } = usePanel();
  // A row appears with the entry that ends its turn; streaming into an entry affects none.
  useChat((state) => state.entries.length);
  if (toReview.length === 0) return null;
  const rows = (chat.state?.entries ?? []).flatMap((entry) => {
    if (entry.kind !== 'turn') return [];
    const files = toReview.filter(({ runId }) => runId === entry.runId);
    return files.length === 0 ? [] : [{ entryId: entry.id, runId: entry.runId, files }];
  });
  if (rows.length === 0) return null;
  return (
    <section class="review-bar" aria-label={t('Changes to review')}>
      {rows.map((row) => (
        <Row key={row.runId} {...row} show={() => transcript.goTo(row.entryId)} />
      ))}
    </section>
  );
}

interface RowProps {
  runId: string;
  files: readonly FileToReview[];
  show: () => void;
}

function Row({ runId, files, show }: RowProps) {
  const { review } = usePanel();
  const names = files.map(({ path }) => safeLine(path, 1000, 'exact')).join('\n');
  return (
    <div class="review-row" role="group" aria-label={t('Changes to review')}>
      <button type="button" class="review-words" title={t('Show the turn that changed\n{0}', names)} onClick={show}>
        {files.length === 1 ? t('1 file to review') : t('{0} files to review', files.length)}
        <DiffSum of={files} />
      </button>
      <span class="ask-buttons">
        <Button kind="primary" onClick={() => review.show(runId)}>
          {t('Review')}
        </Button>
        <Button kind="secondary" title={t('Keep the changes in\n{0}', names)} onClick={() => review.keep(runId)}>
          {t('Keep')}
        </Button>
        <Button kind="secondary" title={t('Undo the changes in\n{0}', names)} onClick={() => review.undo(runId)}>
          {t('Undo')}
        </Button>
      </span>
    </div>
  );
}
