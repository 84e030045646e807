import { safeLine } from '../../../src/base/shown/safeText';
import type { PendingQuestion } from '../../../src/protocol/chatState';
import { usePanel, useRedraw } from '../../ui/panelContext';
import { Button } from '../../ui/toolkit';
import { OptionList } from './OptionList';

interface CheckboxAnswerProps {
  question: PendingQuestion;
  answer: (chosen: readonly string[]) => void;
}

/** Any number of the options, also none. What is ticked is kept over reloads. */
export function CheckboxAnswer({ question: { questionId, options }, answer }: CheckboxAnswerProps) {
  const { view } = usePanel();
  const redraw = useRedraw();
  const key = (at: number) => `tick:${questionId}:${at}`;
  const isTicked = (at: number) => view.isOpen(key(at)) === true;
  const tick = (at: number, ticked: boolean) => {
    view.setOpen(key(at), ticked);
    redraw();
  };
  return (
    <>
      <OptionList>
        {options.map((option, at) => (
          <label class="tick" key={option}>
            <input
              type="checkbox"
              checked={isTicked(at)}
              {...(at === 0 ? { 'data-primary': '' } : {})}
              onChange={(event) => tick(at, event.currentTarget.checked)}
            />
            <span dir="auto">{safeLine(option, 1000)}</span>
          </label>
        ))}
      </OptionList>
      <div class="ask-buttons">
        <Button kind="primary" onClick={() => answer(options.filter((_, at) => isTicked(at)))}>
          Answer
        </Button>
      </div>
    </>
  );
}
