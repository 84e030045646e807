import type { ToolCall } from '../messages/toolCall';

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
