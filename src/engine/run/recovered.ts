import { isAbort, untilAborted } from '../../base/abort';
import { errorText } from '../../base/errors';
import type { ToolCall } from '../messages/toolCall';
import type { ToolErrorDecision, ToolErrorRecovery } from '../tools/toolErrors';
import { ToolFailure } from '../tools/toolOutput';
import type { RunPlace } from './runContext';

/** The maximum number of tries for a call, whatever a program asks for. */
const MOST_TRIES = 10;

/** Runs a call, and retries it as long as `recovery` asks for that. Throws the error the model is to be given. */
export async function recovered<T>(
  context: RunPlace,
  call: ToolCall,
  recovery: ToolErrorRecovery,
  work: () => Promise<T>,
): Promise<T> {
  const { ports, signal } = context;
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (isAbort(error)) throw error;
      const decision = await decide(context, recovery, { call, error, attempt });
      if (decision.kind !== 'retry' || attempt >= MOST_TRIES) throw told(context, decision, { call, error });
      if (decision.delayMs !== undefined) await ports.clock.sleep(decision.delayMs, signal);
    }
  }
}

interface Failed {
  call: ToolCall;
  error: unknown;
}

/** A recovery that throws decides nothing, so the model is told of the error. */
async function decide(
  { ports, signal }: RunPlace,
  recovery: ToolErrorRecovery,
  { call, error, attempt }: Failed & { attempt: number },
): Promise<ToolErrorDecision> {
  try {
    const decided = Promise.resolve().then(() => recovery(call, error, attempt));
    return (await untilAborted(decided, signal)) ?? { kind: 'tell' };
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    ports.log.error(`What recovers from errors of tools failed at ${call.name}`, thrown);
    return { kind: 'tell' };
  }
}

function told(context: RunPlace, decision: ToolErrorDecision, { call, error }: Failed): unknown {
  const text = decision.kind === 'retry' ? undefined : decision.text;
  if (decision.kind === 'stop') {
    const why = text ?? errorText(error);
    const message = `The run was stopped because the tool ${call.name} failed: ${why}`;
    context.progress.stopped = { kind: 'failed', reason: 'tool', message };
  }
  return text === undefined ? error : new ToolFailure('failed', text);
}
