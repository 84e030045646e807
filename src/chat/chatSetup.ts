import { type AgentSession, DEFAULT_AGENT, type WorkMode } from '../engine';
import type { ChatSetup } from '../protocol/chatState';
import { keptItems } from '../protocol/messageItem';

/** What a chat shows about the agent that answers in it. */
export interface AnsweringAgent {
  /** Suggested first messages. */
  starters: readonly string[];
  /** The agent's mode, used if the session sets none. */
  workMode?: WorkMode;
  /** Title of the session whose agent started it. */
  parentTitle?: string;
}

/** Placeholder until the agent has been looked up. */
export const NOT_KNOWN: AnsweringAgent = { starters: [] };

/** Returns which agent answers in a session and with which settings, as shown in a chat. */
export function setupOf(
  { metadata }: AgentSession,
  { starters, workMode, parentTitle = '' }: AnsweringAgent,
): ChatSetup {
  const { agent, role, skills } = metadata;
  const parent = metadata.parent && { sessionId: metadata.parent.sessionId, title: parentTitle };
  const mode = metadata.workMode ?? workMode ?? 'agent';
  const pinned = keptItems(metadata.pinned).filter((item) => item.kind !== 'image');
  return { agent: agent ?? DEFAULT_AGENT, isChosen: agent !== null, mode, role, skills, pinned, starters, parent };
}
