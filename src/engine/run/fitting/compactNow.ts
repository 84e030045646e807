import type { RunOutcome } from '../../events/runOutcome';
import type { Conversation } from '../runContext';
import { compactSession, planCompaction } from './compactSession';
import { conversationRoom } from './conversationRoom';

const NOTHING = 'There is nothing to sum up: the model needs more than the last exchange for that.';
const NO_SUMMARY = 'The model gave no summary, so the conversation is as it was. Try again, or choose another model.';

/** Sums up all but the last exchange because the person asked for it, whether there is still room or not. */
export async function compactNow(context: Conversation): Promise<RunOutcome> {
  const { emitter, signal } = context;
  const planned = planCompaction(context, 0, conversationRoom(context).pinned);
  if (!planned) {
    emitter.emit({ type: 'notice', level: 'info', text: NOTHING });
    return { kind: 'completed', answer: '' };
  }
  const done = await compactSession(context, planned);
  if (signal.aborted) return { kind: 'cancelled' };
  if (!done) emitter.emit({ type: 'notice', level: 'warning', text: NO_SUMMARY });
  return { kind: 'completed', answer: '' };
}
