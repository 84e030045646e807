import type { FinishReason, Usage } from '../messages/message';
import type { ToolCall } from '../messages/toolCall';
import type { LlmFailure } from './llmFailure';

/** What a model says, piece by piece. The last event of a stream is `finished` or `failed`, and only the last. */
export type LlmEvent =
  | { type: 'text-delta'; text: string }
  | { type: 'thinking-delta'; text: string }
  /** The thinking so far is complete; `signature` where the vendor gives one. */
  | { type: 'thinking-finished'; signature?: string }
  | { type: 'redacted-thinking'; data: string }
  /** The model began to write a call; its arguments are still coming. */
  | { type: 'tool-call-started'; id: string; name: string }
  /** `unsaid`: the vendor sent no arguments at all, which means `{}` in a whole answer and nothing in one that was cut. */
  | { type: 'tool-call'; call: ToolCall; unsaid?: true }
  /** For the person: what of the request the model could not be given. */
  | { type: 'notice'; text: string }
  | { type: 'usage'; usage: Usage }
  | ({ type: 'finished'; reason: Exclude<FinishReason, 'cut-off'> } & BrokenTries)
  | ({ type: 'failed'; failure: LlmFailure } & BrokenTries);

/** What tries used that broke off and were made again; null of one that the vendor did not count. They are paid for all the same. */
export interface BrokenTries {
  lost?: readonly (Usage | null)[];
}
