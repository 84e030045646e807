import type { Message } from '../messages/message';

/** A tool as a model is told of it. `parameters` is a JSON Schema of type object. */
export interface ToolSpec {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** One question to one model. Every tool call in `messages` has a result. */
export interface LlmRequest {
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  /** Absent: the model's own limit. */
  maxOutputTokens?: number;
}
