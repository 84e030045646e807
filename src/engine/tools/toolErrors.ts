import { errorText } from '../../base/errors';
import { EngineError } from '../engineError';
import type { ToolCall, ToolResult } from '../messages/toolCall';
import type { Log } from '../ports';
import { ToolFailure } from './toolOutput';

/** The outcome of a call whose tool failed. */
export type ToolErrorDecision =
  /** Tells the model the tool's message, or this text. */
  | { kind: 'tell'; text?: string }
  /** Repeats the call, after `delayMs` if given, without asking for approval again. */
  | { kind: 'retry'; delayMs?: number }
  /** Tells the model, and ends the run as failed. */
  | { kind: 'stop'; text?: string };

/**
 * Decides what happens to a call whose tool threw or timed out; if it returns nothing, the model is told. `attempt` counts from
 * 1. Not called for calls that never began: to unknown tools, with invalid arguments, or rejected.
 */
export type ToolErrorRecovery = (
  call: ToolCall,
  error: unknown,
  attempt: number,
) => ToolErrorDecision | undefined | Promise<ToolErrorDecision | undefined>;

/** Turns anything that a tool threw into a message for the model. Never ends a run. */
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

/** A failure that reveals nothing about a file's content, so it may be reported before anyone was asked about the file. */
export class TellableFailure extends ToolFailure {
  constructor(message: string) {
    super('failed', message);
  }
}
