import type { Question, QuestionAnswer } from '../events/question';

/** Asks a person. Rejects only with AbortError. */
export interface UserPrompter {
  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
}
