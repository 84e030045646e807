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
  /** After this long the asker is told that nobody is there. */
  timeoutMs: number;
}

/** Who started the agent that asks. */
interface Asker {
  parent: { id: string; above: readonly string[]; shared: { escalations: Escalations } };
  child: { id: string; isAwaited: boolean };
}

/**
 * Whom an agent asks: the person; where another agent started it, also those above it, and only for so long. What an MCP server
 * asks is for the person alone.
 */
export function prompterForChild(
  { name, spawning }: Pick<AgentDefinition, 'name' | 'spawning'>,
  lineage: Asker | undefined,
  { prompter, clock }: { prompter: UserPrompter; clock: Clock },
): UserPrompter {
  if (!lineage) return prompter;
  const { parent, child } = lineage;
  // One that only waits hears nothing.
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
 * Puts a question of an agent that another one started to the person and to those above it; the first answer counts, and
 * nothing of the question is left then. Rejects only with AbortError.
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
