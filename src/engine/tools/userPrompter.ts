import type { Question, QuestionAnswer } from '../events/question';

/** Asks a person. Rejects only with AbortError. */
export interface UserPrompter {
  /** True where nobody can ever answer; then agents are not offered the tools that ask. */
  readonly isNobody?: boolean;
  ask(question: Question, signal: AbortSignal): Promise<QuestionAnswer>;
}
