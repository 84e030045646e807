import type { NoticeAction, NoticeEntry } from '../../../src/protocol/chatState';
import { Icon } from '../Icon';
import { usePanel } from '../panelContext';
import { Button } from '../toolkit';

const LEVELS = {
  info: { icon: 'info', words: 'Note' },
  warning: { icon: 'warning', words: 'Warning' },
  error: { icon: 'error', words: 'Error' },
} as const;

export function NoticeBlock({ entry: { level, text, action } }: { entry: NoticeEntry }) {
  const { run, editor } = usePanel();
  const act = (chosen: NoticeAction) => ('command' in chosen ? editor.runCommand(chosen.command) : run.resume());
  return (
    <div class={`notice ${level}`}>
      <Icon name={LEVELS[level].icon} />
      <div class="notice-text">
        <span class="visually-hidden">{LEVELS[level].words}: </span>
        <p dir="auto">{text}</p>
        {action && (
          <Button kind="secondary" onClick={() => act(action)}>
            {action.label}
          </Button>
        )}
      </div>
    </div>
  );
}
