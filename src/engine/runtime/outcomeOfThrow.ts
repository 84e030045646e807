import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errorText';
import { EngineError } from '../engineError';
import type { RunOutcome } from '../events/runOutcome';

/** How a run ends that threw. */
export function outcomeOfThrow(error: unknown): RunOutcome {
  if (isAbort(error)) return { kind: 'cancelled' };
  if (!EngineError.is(error)) {
    const message = `Cairn hit a defect of its own: ${errorText(error)}. The log has the details.`;
    return { kind: 'failed', reason: 'internal', message };
  }
  const reason = EngineError.is(error, 'middleware') ? 'middleware' : 'session';
  return { kind: 'failed', reason, message: error.message };
}
