import type { ComponentChildren } from 'preact';
import { assertNever } from '../../../src/base/errors';
import { t } from '../../../src/base/l10n';
import { safeLine } from '../../../src/base/shown/safeText';
import type { PendingQuestion } from '../../../src/protocol/chatState';
import { Icon } from '../../ui/Icon';
import { useDraft, usePanel, useRedraw } from '../../ui/panelContext';
import { Button, TextField } from '../../ui/toolkit';
import { ShownText } from './ShownText';

interface CheckboxAnswerProps {
  question: PendingQuestion;
  answer: (chosen: readonly string[]) => void;
}

interface WordsAnswerProps {
  placeholder: string;
  text: string;
  setText: (text: string) => void;
  answer: () => void;
}

/** A question of the agent, with the input for its kind. */
export function QuestionCard({ question }: { question: PendingQuestion }) {
  return (
    <div class="card" data-question-id={question.questionId}>
      <div class="card-head">
        <div class="fold">
          <span class="lead">
            <Icon name="question" />
          </span>
          <span class="question-text" dir="auto">
            <ShownText text={question.question} exactness="prose" />
          </span>
        </div>
      </div>
      <div class="answers" role="group" aria-label={safeLine(question.question)}>
        <Answers question={question} />
      </div>
    </div>
  );
}

function Answers({ question }: { question: PendingQuestion }): ComponentChildren {
  const { approvals } = usePanel();
  const { questionId, kind, options } = question;
  const [text, setText] = useDraft(questionId);
  const answer = async (answers: readonly string[]) => {
    if (await approvals.answerQuestion(questionId, answers)) setText('');
  };
  const answerWords = () => {
    if (text.trim() !== '') void answer([text.trim()]);
  };
  switch (kind) {
    case 'choice':
      return (
        <>
          <OptionList>
            {options.map((option) => (
              <button type="button" class="option" dir="auto" key={option} onClick={() => void answer([option])}>
                {safeLine(option, 1000)}
              </button>
            ))}
          </OptionList>
          <WordsAnswer placeholder={t('Or type your own answer')} text={text} setText={setText} answer={answerWords} />
        </>
      );
    case 'checkbox':
      return <CheckboxAnswer question={question} answer={(chosen) => void answer(chosen)} />;
    case 'confirm':
      return <ConfirmAnswer answer={(word) => void answer([word])} />;
    case 'input':
      return <WordsAnswer placeholder={t('Your answer')} text={text} setText={setText} answer={answerWords} />;
    default:
      return assertNever(kind);
  }
}

function ConfirmAnswer({ answer }: { answer: (word: 'yes' | 'no') => void }) {
  return (
    <div class="ask-buttons">
      <Button kind="primary" main onClick={() => answer('yes')}>
        {t('Yes')}
      </Button>
      <Button kind="secondary" onClick={() => answer('no')}>
        {t('No')}
      </Button>
    </div>
  );
}

/** A text box for a free answer. */
function WordsAnswer({ placeholder, text, setText, answer }: WordsAnswerProps) {
  return (
    <div class="ask-text">
      <TextField label={t('Answer')} placeholder={placeholder} value={text} onInput={setText} onEnter={answer} main />
      <Button kind="secondary" onClick={answer}>
        {t('Answer')}
      </Button>
    </div>
  );
}

/** Any number of options, including none. Check marks are kept across reloads. */
function CheckboxAnswer({ question: { questionId, options }, answer }: CheckboxAnswerProps) {
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
          {t('Answer')}
        </Button>
      </div>
    </>
  );
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** A vertical list of options; the arrow keys move between them. */
function OptionList({ children }: { children: ComponentChildren }) {
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const options = [...event.currentTarget.querySelectorAll<HTMLElement>('button, input')];
    const at = options.findIndex((option) => option === document.activeElement);
    const next = options[at + step];
    // Beyond the first and last option, the arrow keys move to the adjacent entries.
    if (at < 0 || !next) return;
    event.preventDefault();
    next.focus();
  };
  return (
    <div class="options" onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}
