import type { RunOutcome } from './runOutcome';

/** How a run ended, without what `strike` takes out of its texts. */
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
