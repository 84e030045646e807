import type { Model } from '../llm/model';

/** Assumed of a model whose window is not known. */
const DEFAULT_WINDOW = 128_000;
const DEFAULT_OUTPUT = 8_000;
/** An output limit as large as the window must not leave the conversation without room. */
const MOST_OUTPUT_SHARE = 0.25;

/** Tokens that a conversation with the model may take. */
export interface ContextBudget {
  /** Above this something has to go. */
  limit: number;
  /** What is aimed at when something goes, so that it does not have to again with the next message. */
  target: number;
}

export function contextBudget(model: Model): ContextBudget {
  const window = model.contextWindow ?? DEFAULT_WINDOW;
  const output = Math.min(model.maxOutputTokens ?? DEFAULT_OUTPUT, window * MOST_OUTPUT_SHARE);
  const room = window - output;
  return { limit: Math.floor(room * 0.9), target: Math.floor(room * 0.6) };
}
