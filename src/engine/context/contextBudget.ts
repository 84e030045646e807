import type { Model } from '../llm/model';

/** Assumed of a model whose window is not known. */
const DEFAULT_WINDOW = 128_000;
const DEFAULT_OUTPUT = 8_000;
/** An output limit as large as the window must not leave the conversation without room. */
const MOST_OUTPUT_SHARE = 0.25;

/** Of the room, what a conversation may take, and what is aimed at when it takes more. */
const LIMIT_SHARE = 0.9;
/** Low, because every time that something goes the vendor has to read everything that is left anew. */
const TARGET_SHARE = 0.35;

/** Of what the model was refused for, what prompt and tools may take; below that nothing would be left for the conversation. */
const FIXED_SHARE = 0.4;

/** Tokens that a conversation with the model may take. */
export interface ContextBudget {
  /** What the model can read at all. */
  room: number;
  /** Above this something has to go. */
  limit: number;
  /** What is aimed at when something goes, so that it does not have to again with the next message. */
  target: number;
}

/** `refused`: as many tokens were too many; `fixed`: what prompt and tools take of them. */
export function contextBudget(model: Model, refused?: { tokens: number | undefined; fixed: number }): ContextBudget {
  const told = model.contextWindow ?? DEFAULT_WINDOW;
  const seen = refused?.tokens === undefined ? told : Math.max(refused.tokens, refused.fixed / FIXED_SHARE);
  const window = Math.min(told, seen);
  const output = Math.min(model.maxOutputTokens ?? DEFAULT_OUTPUT, window * MOST_OUTPUT_SHARE);
  const room = window - output;
  return { room, limit: Math.floor(room * LIMIT_SHARE), target: Math.floor(room * TARGET_SHARE) };
}

/**
 * The budget of an agent that wants its conversation no longer than `above` tokens, whatever the model could take. `fixed`:
 * what its prompt and tools take besides, which no summary makes shorter.
 */
export function narrowedBudget(budget: ContextBudget, above: number, fixed: number): ContextBudget {
  const target = fixed + Math.floor((above * TARGET_SHARE) / LIMIT_SHARE);
  const { room, limit } = budget;
  return { room, limit: Math.min(limit, fixed + above), target: Math.min(budget.target, target) };
}
