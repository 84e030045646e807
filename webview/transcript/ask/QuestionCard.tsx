import { safeLine } from '../../../src/base/shown/safeText';
import type { ComponentChildren } from 'preact';
import type { PendingQuestion } from '../../../src/protocol/chatState';
import { assertNever } from '../../../src/base/assertNever';
import { Icon } from '../../ui/Icon';
import { useDraft, usePanel } from '../../ui/panelContext';
import { Button } from '../../ui/toolkit';
import { CheckboxAnswer } from './CheckboxAnswer';
import { OptionList } from './OptionList';
import { ShownText } from './ShownText';
import { WordsAnswer } from './WordsAnswer';

/** A question of the agent, with what answers its kind. */
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
          <WordsAnswer placeholder="Or in your own words" text={text} setText={setText} answer={answerWords} />
        </>
      );
    case 'checkbox':
      return <CheckboxAnswer question={question} answer={(chosen) => void answer(chosen)} />;
    case 'confirm':
      return <ConfirmAnswer answer={(word) => void answer([word])} />;
    case 'input':
      return <WordsAnswer placeholder="Your answer" text={text} setText={setText} answer={answerWords} />;
    default:
      return assertNever(kind);
  }
}

function ConfirmAnswer({ answer }: { answer: (word: 'yes' | 'no') => void }) {
  return (
    <div class="ask-buttons">
      <Button kind="primary" main onClick={() => answer('yes')}>
        Yes
      </Button>
      <Button kind="secondary" onClick={() => answer('no')}>
        No
      </Button>
    </div>
  );
}
