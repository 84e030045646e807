import type { ToolEntry } from '../../../src/protocol/chatState';
import { Icon } from '../../ui/Icon';

/** A question that was asked, and the answer that was given. */
export function AnsweredLine({ entry }: { entry: ToolEntry }) {
  const { detail, output, title } = entry;
  const answer = detail?.kind === 'text' ? detail.text : output;
  return (
    <div class="answered">
      <span class="lead">
        <Icon name="question" />
      </span>
      <div class="answered-text">
        <p dir="auto">{title.replace(/^(?:Ask|Confirm|Choose): /, '')}</p>
        <p class="answer" dir="auto">
          {answer.replace(/^The person answered: /, '')}
        </p>
      </div>
    </div>
  );
}
