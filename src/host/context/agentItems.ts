import { t } from '../../base/l10n';
import { fuzzyScore } from '../../base/matching';
import { type AgentDefinition, type Attachment, textAttachment } from '../../engine';
import type { ContextHit } from '../../protocol/hostApi';
import type { ContextItem } from '../../protocol/messageItem';

export interface AgentsHere {
  agents: { list(): Promise<readonly AgentDefinition[]> };
}

/** The agents that other agents may start, by name. */
export async function agentHits({ agents }: AgentsHere, words: string, max: number): Promise<ContextHit[]> {
  const score = ({ name }: AgentDefinition) => fuzzyScore(words.toLowerCase(), name.toLowerCase());
  return (await agents.list())
    .filter((agent) => isStartable(agent) && score(agent) > 0)
    .sort((one, other) => score(other) - score(one) || (one.name < other.name ? -1 : 1))
    .slice(0, max)
    .map(({ name, description }) => {
      const item: ContextItem = { kind: 'agent', label: name, target: name };
      return { item, detail: description === '' ? t('Agent') : description };
    });
}

function isStartable({ mode, hidden }: AgentDefinition): boolean {
  return mode !== 'primary' && !hidden;
}

/** What the model is told about an agent that the user wants to work on a message. Rejects if no such agent can be started. */
export async function agentAttachment({ agents }: AgentsHere, { label, target }: ContextItem): Promise<Attachment> {
  const agent = (await agents.list()).find((one) => one.name === target && isStartable(one));
  if (!agent) throw new Error(t('No agent “{0}” can be started. Type @agent: to see those that can.', label));
  const wish = `I want the agent “${agent.name}” to work on this. Start it with what it has to know, and answer from what it reports. If you cannot start it, say so.`;
  return textAttachment({ kind: 'agent', label: agent.name }, `agent: ${agent.name}`, wish);
}
