import { type ContextBudget, contextBudget, narrowedBudget } from '../../context/contextBudget';
import { estimateRequest } from '../../context/estimateTokens';
import type { Message } from '../../messages/message';
import { repairTranscript } from '../../messages/repairTranscript';
import type { Conversation, RunPlace } from '../runContext';
import { toolSpecs } from '../../tools/toolSpecs';

/** The share of the target size that stays verbatim next to a summary. */
const KEPT_SHARE = 0.5;
/** Maximum number of tokens of the user's words preserved verbatim. */
const MOST_PINNED = 4_000;
/** The same limit as a share of the conversation's room, where that is small. */
const PINNED_SHARE = 0.2;

/** How large a conversation may currently be, in tokens. */
export interface ConversationRoom {
  /** What the model can take. */
  window: ContextBudget;
  /** The same, or less if the agent wants less. */
  wanted: ContextBudget;
  /** How much stays verbatim when the rest is summarized. */
  keep: number;
  /** How much of the user's words is preserved next to a summary. */
  pinned: number;
}

export function conversationRoom(context: Conversation): ConversationRoom {
  const { compactsAbove: above, gauge, model } = context;
  const fixed = requestSize(context, []);
  const window = contextBudget(model, { tokens: gauge.tooMany, fixed });
  const wanted = above === undefined ? window : narrowedBudget(window, above, fixed);
  const keep = Math.max(0, wanted.target - fixed) * KEPT_SHARE;
  const pinned = Math.min(MOST_PINNED, Math.floor(Math.max(0, wanted.limit - fixed) * PINNED_SHARE));
  return { window, wanted, keep, pinned };
}

/** Returns the estimated size of a request with these messages, in tokens. */
export function requestSize({ promptAndTools, gauge }: Conversation, messages: readonly Message[]): number {
  return gauge.correct(estimateRequest(promptAndTools.system, toolSpecs(promptAndTools.tools), messages));
}

/** Returns the conversation as the role presents it to the model. */
export function conversationOf({ session, promptAndTools }: RunPlace): Message[] {
  return promptAndTools.converse(repairTranscript(session.context));
}
