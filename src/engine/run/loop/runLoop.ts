import { isAbort, untilAborted } from '../../../base/abort';
import { errorText } from '../../../base/errorText';
import type { RunOutcome } from '../../events/runOutcome';
import type { UserInput } from '../../messages/message';
import { textOf } from '../../messages/message';
import type { RunContext, RunPlace } from '../runContext';
import { type AgentLoop, LoopEnd } from './agentLoop';
import { LoopInternals } from './loopInternals';

/** Runs an agent that is a program. Without `input` it continues with the user's last message. */
export async function runLoop(
  context: RunContext,
  loop: AgentLoop,
  input: string | UserInput | undefined,
): Promise<RunOutcome> {
  const { conversation } = context;
  const internals = new LoopInternals(context, firstInput(conversation, input));
  try {
    const answer: unknown = await untilAborted(Promise.resolve(loop(internals)), conversation.signal);
    if (internals.ended) return internals.ended.outcome;
    await internals.reply.keep();
    if (answer === undefined) return { kind: 'completed', answer: internals.reply.lastText };
    if (typeof answer !== 'string')
      throw new TypeError(`its loop returned ${typeof answer} instead of a text or nothing`);
    if (answer !== internals.reply.lastText) {
      internals.reply.add('text', answer);
      await internals.reply.keep();
    }
    return { kind: 'completed', answer };
  } catch (error) {
    if (conversation.signal.aborted && isAbort(error)) throw error;
    if (internals.ended) return internals.ended.outcome;
    if (error instanceof LoopEnd) return error.outcome;
    return failed(conversation, error);
  } finally {
    await internals.reply.keep().catch((error: unknown) => {
      conversation.ports.log.error('What an agent said last could not be saved', error);
    });
    internals.close();
  }
}

function firstInput({ session }: RunPlace, input: string | UserInput | undefined): UserInput | undefined {
  if (input !== undefined) return typeof input === 'string' ? { text: input } : input;
  const last = session.messages.findLast((message) => message.role === 'user' && !message.automatic);
  return last?.role === 'user' ? { text: textOf(last) } : undefined;
}

function failed({ agent, ports }: RunPlace, error: unknown): RunOutcome {
  ports.log.error(`The agent ${agent}, which is a program, threw`, error);
  const message = `The agent “${agent}” failed: ${errorText(error).replace(/\.$/, '')}. Report it to its author, or choose another agent.`;
  return { kind: 'failed', reason: 'internal', message };
}
