import type { PendingQuestion } from '../../../src/protocol/chatState';
import { Icon } from '../Icon';
import { useDraft, usePanel } from '../panelContext';
import { Button, TextField } from '../toolkit';

/** A question of the agent: one of its answers, or one's own. */
export function QuestionCard({ question: { questionId, question, options } }: { question: PendingQuestion }) {
  const { approvals } = usePanel();
  const [text, setText] = useDraft(questionId);
  const answer = async (words: string) => {
    if (words.trim() === '') return;
    if (await approvals.answerQuestion(questionId, words.trim())) setText('');
  };
  return (
    <div class="card" data-question-id={questionId}>
      <div class="card-head">
        <div class="fold">
          <span class="lead">
            <Icon name="question" />
          </span>
          <span class="question-text" dir="auto">
            {question}
          </span>
        </div>
      </div>
      {options.length > 0 && (
        <div class="options">
          {options.map((option) => (
            <button type="button" class="option" dir="auto" key={option} onClick={() => void answer(option)}>
              {option}
            </button>
          ))}
        </div>
      )}
      <div class="ask-text">
        <TextField
          label="Answer"
          placeholder={options.length > 0 ? 'Or say it in your own words' : 'Your answer'}
          value={text}
          onInput={setText}
          onEnter={() => void answer(text)}
          main
        />
        <Button kind="secondary" onClick={() => void answer(text)}>
          Answer
        </Button>
      </div>
    </div>
  );
}
