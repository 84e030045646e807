import { untilAborted } from '../../base/abort';
import type { Question, QuestionAnswer } from '../events/question';
import type { Clock } from '../ports';
import type { UserPrompter } from '../tools/userPrompter';
import type { Escalations } from './escalations';

export interface AskAboveParts {
  asker: { id: string; name: string; above: readonly string[] };
  escalations: Escalations;
  prompter: UserPrompter;
  clock: Clock;
  /** After this long the asker is told that nobody is there. */
  timeoutMs: number;
}

/**
 * Puts a question of an agent that another one started to the person and to those above it; the first answer counts, and
 * nothing of the question is left then. Rejects only with AbortError.
 */
export async function askAbove(
  question: Question,
  { asker, escalations, prompter, clock, timeoutMs }: AskAboveParts,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  const { answer, close } = escalations.add(asker, question);
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const late = clock.sleep(timeoutMs, either).then((): QuestionAnswer => ({ kind: 'nobody' }));
  // Where nobody is there, those above may still answer until the time is up; where they cannot hear it, nobody will.
  const isHeard = asker.above.length > 0;
  const person = prompter.ask(question, either).then((said) => (said.kind === 'nobody' && isHeard ? late : said));
  for (const promise of [late, person]) promise.catch(() => undefined);
  try {
    return await untilAborted(Promise.race([answer, person, late]), signal);
  } finally {
    close();
    over.abort();
  }
}
