import { errorText } from '../../base/errorText';
import { EngineError } from '../engineError';
import type { Log } from '../ports';
import type { ToolCall } from '../messages/toolCall';
import type { ToolResult } from '../messages/toolResult';
import { ToolFailure } from './toolFailure';

/** Turns whatever a tool threw into words the model can use. Never the end of a run. */
export function recoverToolError(call: ToolCall, error: unknown, durationMs: number, log: Log): ToolResult {
  const expected = error instanceof ToolFailure || EngineError.is(error);
  if (!expected) log.error(`The tool ${call.name} crashed`, error);
  const text = expected ? error.message : `The tool ${call.name} crashed: ${errorText(error)}. Try another way.`;
  return {
    callId: call.id,
    name: call.name,
    status: 'error',
    text,
    detail: { kind: 'text', text },
    durationMs,
  };
}
