import type { Usage } from '../../messages/message';
import type { ToolCall } from '../../messages/toolCall';
import type { LlmEvent } from '../llmClient';

/** Reads a vendor's streamed answer. */
export interface ReplyReader<Chunk> {
  /** Translates a chunk into events, in order. Throws UnexpectedResponse if it is not a chunk of this vendor's format. */
  read(chunk: Chunk): Iterable<LlmEvent>;
  /** Returns the remaining events, ending in `finished`, or undefined if the model had not finished. */
  finish(): LlmEvent[] | undefined;
  /** Token counts reported so far. */
  usage(): Usage | undefined;
}

type Count = number | null | undefined;

/**
 * Builds usage from a vendor's counts; `input` includes cached tokens. Cache fields are omitted when zero. Negative counts become
 * zero, so that no answer can give back part of a limit.
 */
export function reportedUsage(counts: { input: Count; output: Count; cached?: Count; written?: Count }): Usage {
  return {
    inputTokens: count(counts.input),
    outputTokens: count(counts.output),
    ...(count(counts.cached) > 0 && { cachedInputTokens: count(counts.cached) }),
    ...(count(counts.written) > 0 && { cacheWriteTokens: count(counts.written) }),
  };
}

function count(tokens: Count): number {
  return Math.max(0, tokens ?? 0);
}

export type ToolCallEvent = Extract<LlmEvent, { type: 'tool-call' }>;

/** Builds the event of a complete call. Missing arguments become `{}`, marked with `unsaid`. */
export function toolCallEvent(call: ToolCall): ToolCallEvent {
  if (call.arguments.trim() !== '') return { type: 'tool-call', call };
  return { type: 'tool-call', call: { ...call, arguments: '{}' }, unsaid: true };
}
