import * as z from '../../base/zod';
import type { LlmFailureReason } from '../llm/llmClient';

const failureReason = z.enum([
  'no-key',
  'auth',
  'unknown-model',
  'unknown-agent',
  'configuration',
  'rate-limit',
  'context-overflow',
  'bad-request',
  'server',
  'unreachable',
  'cut-stream',
  'middleware',
  'context-strategy',
  'tool',
  'cancelled',
  'session',
  'graph',
  'internal',
]) satisfies z.ZodMiniType<
  LlmFailureReason | 'unknown-agent' | 'configuration' | 'context-strategy' | 'tool' | 'session' | 'graph' | 'internal'
>;

/** How a run ended. Never thrown; the `message` of `failed` states the reason and the remedy. */
export const runOutcomeSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('completed'), answer: z.string() }),
    /** `paused`: the user asked a graph to pause after its step, and it can continue with the next one. */
    z.object({ kind: z.literal('cancelled'), paused: z.exactOptional(z.literal(true)) }),
    z.object({
      kind: z.literal('limit-reached'),
      limit: z.enum(['turns', 'tokens', 'cost', 'time', 'depth', 'repeats']),
    }),
    /** The user rejected a call, and the agent ended because of that. */
    z.object({ kind: z.literal('rejected'), answer: z.string() }),
    z.object({ kind: z.literal('failed'), reason: failureReason, message: z.string() }),
  ]),
);
export type RunOutcome = z.infer<typeof runOutcomeSchema>;

type Limit = Extract<RunOutcome, { kind: 'limit-reached' }>['limit'];

/** Returns why a run was stopped, as a clause to follow "because". */
export function limitText(limit: Limit): string {
  if (limit === 'repeats') return 'it kept repeating the same tool call';
  return `its limit of ${limit} was reached`;
}

/** Returns the outcome with its texts redacted by `strike`. */
export function struckOutcome(outcome: RunOutcome, strike: (text: string) => string): RunOutcome {
  switch (outcome.kind) {
    case 'completed':
    case 'rejected':
      return { ...outcome, answer: strike(outcome.answer) };
    case 'failed':
      return { ...outcome, message: strike(outcome.message) };
    case 'cancelled':
    case 'limit-reached':
      return outcome;
  }
}
