import { estimateRequest } from '../../context/estimateTokens';
import type { Model } from '../../llm/model';
import type { Message } from '../../messages/message';
import { repairTranscript } from '../../messages/repairTranscript';
import { toolSpecs } from '../../tools/toolSpecs';
import type { Conversation, RunPlace } from '../runContext';

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

/** Assumed for a model with an unknown context window. */
const DEFAULT_WINDOW = 128_000;
const DEFAULT_OUTPUT = 8_000;
/** Caps the output limit, which may be as large as the window, so that the conversation has room. */
const MOST_OUTPUT_SHARE = 0.25;

/** Share of the room that a conversation may take, and the share to reduce it to when it exceeds that. */
const LIMIT_SHARE = 0.9;
/** Low, because after each reduction the vendor has to process the remaining conversation without its cache. */
const TARGET_SHARE = 0.35;

/**
 * Largest share of the window that the prompt and tools may take after a refusal; beyond it, nothing would be left for the
 * conversation.
 */
const FIXED_SHARE = 0.4;

/** Limits on the tokens of a conversation. */
interface ContextBudget {
  /** Maximum input of the model. */
  room: number;
  /** Above this, the conversation must be reduced. */
  limit: number;
  /** Size to reduce to, so that the next message does not trigger another reduction. */
  target: number;
}

/**
 * Returns the budget of a model. `refused`: the number of tokens that the model has refused, if any, and the tokens of the prompt
 * and tools in `fixed`.
 */
export function contextBudget(model: Model, refused?: { tokens: number | undefined; fixed: number }): ContextBudget {
  const told = model.contextWindow ?? DEFAULT_WINDOW;
  const seen = refused?.tokens === undefined ? told : Math.max(refused.tokens, refused.fixed / FIXED_SHARE);
  const window = Math.min(told, seen);
  const output = Math.min(model.maxOutputTokens ?? DEFAULT_OUTPUT, window * MOST_OUTPUT_SHARE);
  const room = window - output;
  return { room, limit: Math.floor(room * LIMIT_SHARE), target: Math.floor(room * TARGET_SHARE) };
}

/**
 * Returns the budget of an agent that limits its conversation to `above` tokens, whatever the model allows. `fixed`: the tokens
 * of its prompt and tools, which a summary cannot reduce.
 */
function narrowedBudget(budget: ContextBudget, above: number, fixed: number): ContextBudget {
  const target = fixed + Math.floor((above * TARGET_SHARE) / LIMIT_SHARE);
  const { room, limit } = budget;
  return { room, limit: Math.min(limit, fixed + above), target: Math.min(budget.target, target) };
}
