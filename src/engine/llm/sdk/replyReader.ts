import type { Usage } from '../../messages/message';
import type { ToolCall } from '../../messages/toolCall';
import type { LlmEvent } from '../llmClient';

/** Reads one streamed answer of a vendor. */
export interface ReplyReader<Chunk> {
  /** What the chunk says, in order. Throws UnexpectedResponse when it is none of this vendor's chunks. */
  read(chunk: Chunk): Iterable<LlmEvent>;
  /** What is left to say, ending in `finished`; undefined when the model had not finished. */
  finish(): LlmEvent[] | undefined;
  /** Tokens as far as they were reported. */
  usage(): Usage | undefined;
}

type Count = number | null | undefined;

/**
 * Usage of what a vendor counted; `input` includes what was cached. Nothing is said of caches that were not used. Less than
 * nothing counts as nothing, so that no answer gives a limit back.
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

/** A call as it came; arguments that never came count as `{}`, and the event says so. */
export function toolCallEvent(call: ToolCall): ToolCallEvent {
  if (call.arguments.trim() !== '') return { type: 'tool-call', call };
  return { type: 'tool-call', call: { ...call, arguments: '{}' }, unsaid: true };
}
