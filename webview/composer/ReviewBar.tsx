import { safeLine } from '../../src/base/shown/safeText';
import type { FileToReview } from '../../src/protocol/chatState';
import { DiffSum } from '../transcript/tools/DiffView';
import type { TranscriptList } from '../transcript/transcriptList';
import { useChat, usePanel } from '../ui/panelContext';
import { Button } from '../ui/toolkit';
import { countWords } from '../ui/words';

/** What turns changed without asking, in sight until it is kept or undone: a row for each turn, the earliest first. */
export function ReviewBar({ transcript }: { transcript: TranscriptList }) {
  const toReview = useChat((state) => state.toReview);
  const { chat } = usePanel();
  // A row comes with the entry that ends its turn: what is streamed into an entry changes none.
  useChat((state) => state.entries.length);
  if (toReview.length === 0) return null;
  const rows = (chat.state?.entries ?? []).flatMap((entry) => {
    if (entry.kind !== 'turn') return [];
    const files = toReview.filter(({ runId }) => runId === entry.runId);
    return files.length === 0 ? [] : [{ entryId: entry.id, runId: entry.runId, files }];
  });
  if (rows.length === 0) return null;
  return (
    <section class="review-bar" aria-label="Changes to review">
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
    <div class="review-row" role="group" aria-label="Changes to review">
      <button type="button" class="review-words" title={`Show the turn that changed\n${names}`} onClick={show}>
        {countWords(files.length, 'file')} to review
        <DiffSum of={files} />
      </button>
      <span class="ask-buttons">
        <Button kind="primary" onClick={() => review.show(runId)}>
          Review
        </Button>
        <Button kind="secondary" title={`Keep the changes in\n${names}`} onClick={() => review.keep(runId)}>
          Keep
        </Button>
        <Button kind="secondary" title={`Undo the changes in\n${names}`} onClick={() => review.undo(runId)}>
          Undo
        </Button>
      </span>
    </div>
  );
}
