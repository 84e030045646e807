import { t } from '../base/l10n';
import type { Question, QuestionAnswer, UserPrompter } from '../engine';
import { PendingAnswers } from './pendingAnswers';

/** Shows questions as cards in the panel. Waits as long as the run does. */
export class ChatUserPrompter implements UserPrompter {
  private readonly pending = new PendingAnswers<Question, QuestionAnswer>();

  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer> {
    return this.pending.wait(question, signal);
  }

  /** Throws if the question was already answered or its run is over. */
  answer(id: string, texts: readonly string[]): void {
    const known = this.pending.answer(id, { kind: 'answered', texts });
    if (!known) throw new Error(t('This question was answered already, or its run is over.'));
  }
}
