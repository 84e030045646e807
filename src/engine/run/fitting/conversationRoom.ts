import { type ContextBudget, contextBudget, narrowedBudget } from '../../context/contextBudget';
import { estimateRequest } from '../../context/estimateTokens';
import type { Message } from '../../messages/message';
import { repairTranscript } from '../../messages/repairTranscript';
import type { Conversation, RunPlace } from '../runContext';
import { toolSpecs } from '../../tools/toolSpecs';

/** Of what is aimed at, what stays whole beside a summary. */
const KEPT_SHARE = 0.5;
/** What the person said is kept word for word up to here. */
const MOST_PINNED = 4_000;
/** Of the room for the conversation, in one that is small. */
const PINNED_SHARE = 0.2;

/** How much a conversation may take at this moment, in tokens. */
export interface ConversationRoom {
  /** What the model can take. */
  window: ContextBudget;
  /** The same, or less where the agent wants less. */
  wanted: ContextBudget;
  /** What stays whole when the rest is summed up. */
  keep: number;
  /** Of the person's words beside a summary. */
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

/** What a request with these messages takes, as far as that is known. */
export function requestSize({ promptAndTools, gauge }: Conversation, messages: readonly Message[]): number {
  return gauge.correct(estimateRequest(promptAndTools.system, toolSpecs(promptAndTools.tools), messages));
}

/** What was said, as the role wants the model to see it. */
export function conversationOf({ session, promptAndTools }: RunPlace): Message[] {
  return promptAndTools.converse(repairTranscript(session.context));
}
