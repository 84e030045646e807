import type { LlmRequest } from '../llmRequest';

/** How all three protocols call what steers the choice of words; nothing where the model's own is meant. */
export function samplingParams({ temperature, topP }: LlmRequest): { temperature?: number; top_p?: number } {
  return { ...(temperature !== undefined && { temperature }), ...(topP !== undefined && { top_p: topP }) };
}
