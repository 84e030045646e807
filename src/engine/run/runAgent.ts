import { isAbort, throwIfAborted, untilAborted } from '../../base/abort';
import { firstCodeBlock } from '../../base/firstCodeBlock';
import type { RunOutcome } from '../events/runOutcome';
import { type AssistantMessage, textOf } from '../messages/message';
import { wasCutOff } from '../sessions/agentSession';
import type { Interruption } from './interrupts';
import type { Calling, RunContext, RunPlace } from './runContext';
import { endOpenCalls, finishOpenCalls } from './runToolCalls';
import { type Answered, type Ended, sayItself, step } from './step';
import { takeInput } from './takeInput';

/** Runs one turn after another until the model has nothing more to do. */
export async function runAgent(context: RunContext): Promise<RunOutcome> {
  const { conversation, steering, interrupts } = context;
  for (let begins = true; ; begins = false) {
    const turn = interrupts.begin(conversation.signal);
    const within = contextOf(context, turn.signal);
    const done = await takeTurn(within, begins).catch((error: unknown) => {
      if (!isAbort(error) || conversation.signal.aborted) throw error;
      return undefined;
    });
    const interruption = turn.end();
    if (done?.kind === 'ended' && !(interruption && done.outcome.kind === 'cancelled')) return done.outcome;
    if (interruption) {
      await untilMessage(context, interruption);
      continue;
    }
    // Messages that arrived until this decision are answered by this run, later ones by another.
    if (!done || done.kind === 'ended' || !steering.closeIfEmpty()) continue;
    interrupts.close();
    await conversation.promptAndTools.skills.endTurn();
    return finished(context, done.message);
  }
}

/** Resolves to the model's answer when it has nothing more to do, or undefined while it has. Rejects with AbortError. */
async function takeTurn(context: RunContext, begins: boolean): Promise<Answered | Ended | undefined> {
  // An aborted turn must leave waiting messages to the next one.
  throwIfAborted(context.conversation.signal);
  if (begins) await finishInterrupted(context.calling);
  const done = await step(context);
  if (done.kind === 'ended') return done;
  if (done.kind === 'called' || context.steering.waiting) return undefined;
  const { message } = done;
  const goes = (await waitsForTeam(context)) || (await goesOn(context, message)) || (await asksAgain(context, message));
  return goes ? undefined : done;
}

/** Returns the run's context with the signal of the current turn. */
function contextOf(context: RunContext, signal: AbortSignal): RunContext {
  const { conversation, calling } = context;
  const middleware = conversation.middleware.until(signal);
  return { ...context, conversation: { ...conversation, signal, middleware }, calling: { ...calling, signal } };
}

/** Finishes what an interrupted turn left open, and waits for a message to continue with. Rejects with AbortError. */
async function untilMessage({ conversation, steering }: RunContext, why: Interruption): Promise<void> {
  const { emitter, signal, team } = conversation;
  await untilAborted(team.endRunning(), signal);
  await endOpenCalls(conversation, why);
  emitter.emit({ type: 'notice', level: 'info', text: why.text('') });
  if (steering.waiting) return;
  emitter.emit({ type: 'state-changed', state: 'idle' });
  await untilAborted(steering.next(), signal);
}

/** Whether agents that it started are still running or have something to report, which the model is given before it may end. */
async function waitsForTeam({ conversation, steering }: RunContext): Promise<boolean> {
  const text = await conversation.team.beforeEnd(conversation.signal, steering.next());
  if (text !== null) await sayItself(conversation, text);
  return text !== null;
}

/** With open to-dos the agent is asked to continue, unless a call was rejected or the model refused. */
async function goesOn({ conversation, autoContinue }: RunContext, message: AssistantMessage): Promise<boolean> {
  const { emitter, promptAndTools, session } = conversation;
  if (message.finish === 'refusal' || wasRefused(conversation) || !promptAndTools.tools.does('marks-todos'))
    return false;
  const next = autoContinue.next(session.todos.items);
  if (next.kind === 'stop') emitter.emit({ type: 'notice', level: 'warning', text: next.text });
  if (next.kind !== 'continue') return false;
  const { text, count, max, open } = next;
  const happened = { type: 'auto-continued', count, max, open } as const;
  await session.note(happened);
  emitter.emit(happened);
  await sayItself(conversation, text);
  return true;
}

const SILENT =
  'Automatic reminder from Cairn; the user has not written. Your last reply contained neither text nor a call. Go on with the work, or give your final answer in words.';
const STAYED_SILENT = 'The model gave no answer. Send a message to continue, or choose another model.';

/**
 * Asks again after a reply that ended like any other but has neither text nor calls, as models give after long thinking or a
 * tool's result. Otherwise it would look as if the run had stopped by itself.
 */
async function asksAgain({ conversation, autoContinue }: RunContext, message: AssistantMessage): Promise<boolean> {
  const { finish } = message;
  const hasEnded = finish === 'stop' || finish === 'tool-calls';
  if (!hasEnded || textOf(message).trim() !== '' || wasRefused(conversation)) return false;
  const again = autoContinue.breaksSilence();
  if (again) await sayItself(conversation, SILENT);
  else conversation.emitter.emit({ type: 'notice', level: 'warning', text: STAYED_SILENT });
  return again;
}

/** Continues where the last run was cut off: runs calls without a result or, if there are none, asks the model to continue. */
async function finishInterrupted(calling: Calling): Promise<void> {
  const { session, emitter, ports } = calling;
  const open = session.openCalls();
  if (open.length > 0) await finishOpenCalls(calling, open);
  else if (wasCutOff(session.messages.at(-1)))
    await takeInput({ session, emitter, clock: ports.clock }, 'Continue where you were cut off.', true);
}

/** If the last thing it tried was rejected, the run did not do what was asked, and its outcome says so. */
function finished({ conversation, answersCode }: RunContext, message: AssistantMessage): RunOutcome {
  const answer = answersCode ? firstCodeBlock(textOf(message)) : textOf(message);
  return wasRefused(conversation) ? { kind: 'rejected', answer } : { kind: 'completed', answer };
}

function wasRefused({ session }: RunPlace): boolean {
  const lastResults = session.messages.findLast((one) => one.role === 'tool' || (one.role === 'user' && !one.steering));
  return lastResults?.role === 'tool' && lastResults.results.some(({ status }) => status === 'rejected');
}
