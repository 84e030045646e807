import type { RunOutcome } from '../engine';

export const EXIT = { completed: 0, failed: 1, usage: 2, limit: 3, rejected: 4, cancelled: 130 } as const;

/** Failures that another command line or another setting mends. */
const USAGE: ReadonlySet<string> = new Set(['no-key', 'unknown-model', 'unknown-agent', 'configuration']);

/** What a script learns from how a run ended. */
export function exitStatus(outcome: RunOutcome): number {
  switch (outcome.kind) {
    case 'completed':
      return EXIT.completed;
    case 'cancelled':
      return EXIT.cancelled;
    case 'limit-reached':
      return EXIT.limit;
    case 'rejected':
      return EXIT.rejected;
    case 'failed':
      return USAGE.has(outcome.reason) ? EXIT.usage : EXIT.failed;
  }
}

/** The command was called in a way that it cannot carry out; the message says what to write instead. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
