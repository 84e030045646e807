import type { RunOutcome } from '../events/runOutcome';
import { compactSession } from './compactSession';
import type { RunContext } from './runContext';

const NOTHING = 'There is nothing to sum up: the model needs more than the last exchange for that.';

/** Sums up all but the last exchange because the person asked for it, whether there is still room or not. */
export async function compactNow(context: RunContext): Promise<RunOutcome> {
  const done = await compactSession(context, 0);
  if (context.signal.aborted) return { kind: 'cancelled' };
  if (!done) context.emitter.emit({ type: 'notice', level: 'info', text: NOTHING });
  return { kind: 'completed', answer: '' };
}
