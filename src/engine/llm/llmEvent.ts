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
  | { type: 'tool-call'; call: ToolCall }
  /** For the person: what of the request the model could not be given. */
  | { type: 'notice'; text: string }
  | { type: 'usage'; usage: Usage }
  | { type: 'finished'; reason: Exclude<FinishReason, 'cut-off'> }
  | { type: 'failed'; failure: LlmFailure };
