import { type AgentSession, DEFAULT_AGENT, type WorkMode } from '../engine';
import type { ChatSetup } from '../protocol/chatState';
import { keptItems } from '../protocol/messageItem';

/** What a chat shows of the agent that answers in it. */
export interface AnsweringAgent {
  /** What it proposes to begin with. */
  starters: readonly string[];
  /** What it may do at all where the session says nothing. */
  workMode?: WorkMode;
  /** Of the session whose agent started it. */
  parentTitle?: string;
}

/** Before it was looked up. */
export const NOT_KNOWN: AnsweringAgent = { starters: [] };

/** Who answers in a session, and how, as a chat shows it. */
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
