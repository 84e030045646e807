import type { Clock } from '../ports';
import type { UserPrompter } from '../tools/userPrompter';
import type { AgentDefinition } from '../agents/agentDefinition';
import { askAbove } from './askAbove';
import type { Escalations } from './escalations';

/** Who started the agent that asks. */
interface Asker {
  parent: { id: string; above: readonly string[]; shared: { escalations: Escalations } };
  child: { id: string; isAwaited: boolean };
}

/** Whom an agent asks: the person; where another agent started it, also those above it, and only for so long. */
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
    ask: (question, signal) => askAbove(question, { asker, escalations, prompter, clock, timeoutMs }, signal),
  };
}
