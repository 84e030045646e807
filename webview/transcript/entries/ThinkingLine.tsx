import type { ThinkingEntry } from '../../../src/protocol/chatState';
import { thinkingWords } from '../entryLabel';
import { Fold } from '../../ui/Fold';
import { useOpen } from '../../ui/panelContext';

export function ThinkingLine({ entry }: { entry: ThinkingEntry }) {
  const [open, setOpen] = useOpen(entry.id, false);
  return (
    <>
      <Fold open={open} onToggle={entry.text === '' ? undefined : setOpen} lead="arrow">
        <span class={entry.streaming ? 'fold-title pulse' : 'fold-title'}>
          {thinkingWords(entry.streaming, entry.durationMs)}
        </span>
      </Fold>
      {open && (
        <div class="fold-body thinking-text" dir="auto">
          {entry.text}
        </div>
      )}
    </>
  );
}
