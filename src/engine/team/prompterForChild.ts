import { untilAborted } from '../../base/abort';
import type { AgentDefinition } from '../agents/agentDefinition';
import type { Question, QuestionAnswer, UserPrompter } from '../events/question';
import type { Clock } from '../ports';
import type { Escalations } from './escalations';

interface AskAboveParts {
  asker: { id: string; name: string; above: readonly string[] };
  escalations: Escalations;
  prompter: UserPrompter;
  clock: Clock;
  /** After this time, the asker is told that nobody is available. */
  timeoutMs: number;
}

/** The agent that asks, and its parent. */
interface Asker {
  parent: { id: string; above: readonly string[]; shared: { escalations: Escalations } };
  child: { id: string; isAwaited: boolean };
}

/**
 * Returns whom an agent asks: the user; for a child also its ancestors, and only for a limited time. Questions of an MCP server
 * always go to the user alone.
 */
export function prompterForChild(
  { name, spawning }: Pick<AgentDefinition, 'name' | 'spawning'>,
  lineage: Asker | undefined,
  { prompter, clock }: { prompter: UserPrompter; clock: Clock },
): UserPrompter {
  if (!lineage) return prompter;
  const { parent, child } = lineage;
  // A parent that only waits cannot answer.
  const above = child.isAwaited ? [] : [parent.id, ...parent.above];
  const asker = { id: child.id, name, above };
  const { escalations } = parent.shared;
  const timeoutMs = spawning.escalationTimeoutMs;
  return {
    ask: (question, signal) =>
      question.server === undefined
        ? askAbove(question, { asker, escalations, prompter, clock, timeoutMs }, signal)
        : prompter.ask(question, signal),
  };
}

/**
 * Asks the user and the ancestors of a child; the first answer wins, and the question is removed everywhere. Rejects only with
 * AbortError.
 */
async function askAbove(
  question: Question,
  { asker, escalations, prompter, clock, timeoutMs }: AskAboveParts,
  signal: AbortSignal,
): Promise<QuestionAnswer> {
  const { answer, close } = escalations.add(asker, question);
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const late = clock.sleep(timeoutMs, either).then((): QuestionAnswer => ({ kind: 'nobody' }));
  // If no user is available, the ancestors may still answer until the timeout; if they cannot hear the question, nobody will.
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
