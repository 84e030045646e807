import { safeLine } from '../../../src/base/shown/safeText';
import type { ToolDetail, ToolEntry } from '../../../src/protocol/chatState';
import { statusWords } from '../entryLabel';
import { durationWords } from '../../ui/words';
import { Fold } from '../../ui/Fold';
import { Link } from '../../ui/toolkit';
import { useOpen, usePanel } from '../../ui/panelContext';

/** One line; opens what the tool saw. */
export function ToolLine({ entry, grouped }: { entry: ToolEntry; grouped: boolean }) {
  const [open, setOpen] = useOpen(entry.id, entry.status === 'error');
  const hasBody = entry.output !== '' || entry.detail !== null;
  const title = safeLine(entry.title, 1000, 'exact');
  return (
    <div class={grouped ? 'tool-line grouped-line' : 'tool-line'}>
      <Fold open={open && hasBody} onToggle={hasBody ? setOpen : undefined} lead={leadOf(entry)}>
        <span class="fold-title" title={title}>
          {title}
        </span>
        {(entry.status === 'rejected' || entry.status === 'cancelled') && (
          <span class="fold-note">{statusWords(entry.status)}</span>
        )}
        {entry.durationMs !== null && entry.durationMs >= 100 && (
          <span class="side-note">{durationWords(entry.durationMs)}</span>
        )}
      </Fold>
      {open && hasBody && <ToolBody entry={entry} />}
    </div>
  );
}

function ToolBody({ entry: { detail, output, title } }: { entry: ToolEntry }) {
  return (
    <div class="fold-body">
      {detail?.kind === 'file' && <FileHead detail={detail} />}
      <pre
        class="tool-output scrolls-aside"
        dir="ltr"
        tabIndex={0}
        role="group"
        aria-label={`Result of ${safeLine(title)}`}
      >
        {detail && 'text' in detail ? detail.text : output}
      </pre>
    </div>
  );
}

function FileHead({ detail }: { detail: Extract<ToolDetail, { kind: 'file' }> }) {
  const { editor } = usePanel();
  return (
    <p class="file-head">
      <Link onClick={() => editor.openFile(detail.path, detail.firstLine)}>
        {safeLine(detail.path, 1000, 'exact')}:{detail.firstLine}
      </Link>
    </p>
  );
}

function leadOf({ status }: ToolEntry): 'arrow' | 'busy' | { icon: string } {
  if (status === 'running' || status === 'preparing') return 'busy';
  if (status === 'error') return { icon: 'error' };
  if (status === 'rejected' || status === 'cancelled') return { icon: 'circle-slash' };
  return 'arrow';
}
