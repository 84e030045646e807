import type { RunOutcome } from '../events/runOutcome';
import { firstCodeBlock } from '../../base/firstCodeBlock';
import { type AssistantMessage, textOf } from '../messages/message';
import { wasCutOff } from '../sessions/agentSession';
import type { Calling, RunContext, RunPlace } from './runContext';
import { finishOpenCalls } from './runToolCalls';
import { sayItself, step } from './step';
import { takeInput } from './takeInput';

/** The loop: one step after the other, until the model has nothing more to do. */
export async function runAgent(context: RunContext): Promise<RunOutcome> {
  const { conversation, steering } = context;
  await finishInterrupted(context.calling);
  for (;;) {
    const done = await step(context);
    if (done.kind === 'ended') return done.outcome;
    if (done.kind === 'called' || steering.waiting) continue;
    if ((await waitsForTeam(context)) || (await goesOn(context, done.message))) continue;
    // What came while it was decided is answered by this run, what comes from now on by another one.
    if (!steering.closeIfEmpty()) continue;
    await conversation.promptAndTools.skills.endTurn();
    return finished(context, done.message);
  }
}

/** Agents that it started are still at work, or have something to tell; the model hears of that before it may end. */
async function waitsForTeam({ conversation, steering }: RunContext): Promise<boolean> {
  const text = await conversation.team.beforeEnd(conversation.signal, steering.next());
  if (text !== null) await sayItself(conversation, text);
  return text !== null;
}

/** With open to-dos the agent is asked to go on, unless the person or the model said no. */
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

/** Goes on where the last run was cut off: first the calls that have no result, else with a word to the model. */
async function finishInterrupted(calling: Calling): Promise<void> {
  const { session, emitter, ports } = calling;
  const open = session.openCalls();
  if (open.length > 0) await finishOpenCalls(calling, open);
  else if (wasCutOff(session.messages.at(-1)))
    await takeInput({ session, emitter, clock: ports.clock }, 'Go on where you were cut off.', true);
}

/** When the last thing tried was refused, the run did not do what was asked, and says so. */
function finished({ conversation, answersCode }: RunContext, message: AssistantMessage): RunOutcome {
  const answer = answersCode ? firstCodeBlock(textOf(message)) : textOf(message);
  return wasRefused(conversation) ? { kind: 'rejected', answer } : { kind: 'completed', answer };
}

function wasRefused({ session }: RunPlace): boolean {
  const lastResults = session.messages.findLast((one) => one.role === 'tool' || (one.role === 'user' && !one.steering));
  return lastResults?.role === 'tool' && lastResults.results.some(({ status }) => status === 'rejected');
}
