import type { Message } from '../messages/message';
import type { Effort } from './effort';

/** A tool as a model is told of it. `parameters` is a JSON Schema of type object. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Readonly<Record<string, unknown>>;
}

/** Whether a model may, must or must not call tools, or which one it must call. */
export type ToolChoice = 'auto' | 'none' | 'required' | { tool: string };

/** One question to one model. Every tool call in `messages` has a result. */
export interface LlmRequest {
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  /** What requests of one conversation have in common, so that a vendor looks for their beginning in one cache. */
  cacheKey?: string;
  /** 0 to 2; absent: the model's own. */
  temperature?: number;
  /** 0 to 1; absent: the model's own. */
  topP?: number;
  /** How long it may think; absent: the model's own. */
  effort?: Effort;
  /** Absent: the model's own limit. */
  maxOutputTokens?: number;
  /** Absent: the model decides. */
  toolChoice?: ToolChoice;
  /** A JSON Schema of type object that the answer has to fit; absent: the answer is text. */
  outputSchema?: Readonly<Record<string, unknown>>;
}
