import type { ToolCall } from '../../messages/toolCall';
import type { LlmEvent } from '../llmEvent';

export type ToolCallEvent = Extract<LlmEvent, { type: 'tool-call' }>;

/** A call as it came; arguments that never came count as `{}`, and the event says so. */
export function toolCallEvent(call: ToolCall): ToolCallEvent {
  if (call.arguments.trim() !== '') return { type: 'tool-call', call };
  return { type: 'tool-call', call: { ...call, arguments: '{}' }, unsaid: true };
}
