import { errorText } from '../../base/errorText';
import { EngineError } from '../engineError';
import type { ToolCall } from '../messages/toolCall';
import type { ToolResult } from '../messages/toolResult';
import type { Log } from '../ports';
import { ToolFailure } from './toolFailure';

/** What becomes of a call whose tool failed. */
export type ToolErrorDecision =
  /** The model is told: what the tool said, or these words. */
  | { kind: 'tell'; text?: string }
  /** It is done again, after a while; nobody is asked again. */
  | { kind: 'retry'; delayMs?: number }
  /** The model is told, and the run ends as failed. */
  | { kind: 'stop'; text?: string };

/**
 * Decides what becomes of a call whose tool threw or took too long; nothing: the model is told. `attempt` counts from 1. Not
 * asked about calls that never began: those of tools that there are not, with arguments that do not fit, or refused.
 */
export type ToolErrorRecovery = (
  call: ToolCall,
  error: unknown,
  attempt: number,
) => ToolErrorDecision | undefined | Promise<ToolErrorDecision | undefined>;

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
    detail: { kind: 'text', text, ...(error instanceof ToolFailure && error.isRepeated && { repeated: true }) },
    durationMs,
  };
}
