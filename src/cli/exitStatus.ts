import { errorText } from '../base/errors';
import { withoutEnd } from '../base/truncate';
import type { RunOutcome } from '../engine';

export const EXIT = { completed: 0, failed: 1, usage: 2, limit: 3, rejected: 4, cancelled: 130 } as const;

/** Failures that a different command line or setting fixes. */
const USAGE: ReadonlySet<string> = new Set(['no-key', 'unknown-model', 'unknown-agent', 'configuration']);

/** Returns the exit status that tells a script how the run ended. */
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

/** An invalid invocation of the command. The message says what to write instead. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** Returns the error for options that `parseArgs` rejected. `command` is the one whose help says what it takes. */
export function wrongOptions(error: unknown, command: string): UsageError {
  const text = withoutEnd(errorText(error).replaceAll('\n', ' '), '.');
  return new UsageError(`${text}. See ${command} --help.`);
}
