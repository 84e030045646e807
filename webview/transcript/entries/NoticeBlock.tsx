import type { ChatState, NoticeAction, NoticeEntry } from '../../../src/protocol/chatState';
import { Icon } from '../../ui/Icon';
import { Fold } from '../../ui/Fold';
import { useChat, useOpen, usePanel } from '../../ui/panelContext';
import { Button } from '../../ui/toolkit';

const LEVELS = {
  quiet: { icon: 'info', words: 'Note' },
  info: { icon: 'info', words: 'Note' },
  warning: { icon: 'warning', words: 'Warning' },
  error: { icon: 'error', words: 'Error' },
} as const;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

export function NoticeBlock({ entry: { id, level, text, action, detail } }: { entry: NoticeEntry }) {
  const [open, setOpen] = useOpen(id, false);
  const canRetry = useChat((state) => action !== null && 'command' in action && endedWith(state, id));
  const { run, editor } = usePanel();
  const act = (chosen: NoticeAction) => ('command' in chosen ? editor.runCommand(chosen.command) : run.resume());
  return (
    <div class={`notice ${level}`}>
      <Icon name={LEVELS[level].icon} />
      <div class="notice-text">
        <span class="visually-hidden">{LEVELS[level].words}: </span>
        <NoticeText text={text} />
        {action && (
          <Button kind="secondary" onClick={() => act(action)}>
            {action.label}
          </Button>
        )}
        {canRetry && (
          <Button kind="secondary" onClick={() => run.resume()}>
            Try again
          </Button>
        )}
        {detail && (
          <Fold open={open} onToggle={setOpen} lead="arrow">
            <span class="fold-title">{detail.title}</span>
          </Fold>
        )}
        {detail && open && (
          <div class="thinking-text" dir="auto">
            {detail.text}
          </div>
        )}
      </div>
    </div>
  );
}

/** True when this notice says why the last turn failed, so that the turn can be asked for again. */
function endedWith({ entries, run }: ChatState, id: string): boolean {
  const last = entries.at(-1);
  return run === null && last?.kind === 'turn' && last.outcome === 'failed' && entries.at(-2)?.id === id;
}

/** What happened, why, and what to do, as far as the text has as many sentences. */
function NoticeText({ text }: { text: string }) {
  const [what = '', why, ...rest] = [...sentences.segment(text.trim())].map(({ segment }) => segment.trim());
  if (why === undefined) return <p dir="auto">{text}</p>;
  return (
    <>
      <p dir="auto">
        <strong>{what}</strong>
      </p>
      <p dir="auto">{why}</p>
      {rest.length > 0 && <p dir="auto">{rest.join(' ')}</p>}
    </>
  );
}
