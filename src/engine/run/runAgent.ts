import type { RunOutcome } from '../events/runOutcome';
import { firstCodeBlock } from '../../base/firstCodeBlock';
import { type AssistantMessage, textOf, userMessage } from '../messages/message';
import { wasCutOff } from '../sessions/agentSession';
import type { ToolRegistry } from '../tools/toolRegistry';
import type { RunContext } from './runContext';
import { finishOpenCalls, runToolCalls } from './runToolCalls';
import { runTurn } from './runTurn';
import { reachedLimit } from './stopConditions';
import { takeInput } from './takeInput';

/** The loop: take what the person said meanwhile, ask the model, run its calls; until it has nothing more to do. */
export async function runAgent(context: RunContext): Promise<RunOutcome> {
  await finishInterrupted(context);
  for (let turns = 0; ; turns++) {
    for (const input of context.steering.take()) {
      context.autoContinue.reset();
      context.repeats.reset();
      await takeInput({ ...inputParts(context), middleware: context.middleware }, input, true);
    }
    for (const text of context.team.takeNews()) await sayItself(context, text);
    const limit = reachedLimit(context.limits, { turns }) ?? context.team.spending.takeTurn();
    if (limit) return limit;
    const turn = await runTurn(context);
    if (turn.kind === 'failed') return turn.outcome;
    const { calls } = turn;
    context.autoContinue.called(calls.length);
    if (calls.length > 0) {
      context.team.called();
      await runToolCalls(context, calls);
      if (context.progress.stopped) return context.progress.stopped;
      if (context.repeats.isStuck) return { kind: 'limit-reached', limit: 'repeats' };
    } else if (!context.steering.waiting && !(await waitsForTeam(context)) && !(await goesOn(context, turn.message))) {
      // What came while it was decided is answered by this run, what comes from now on by another one.
      if (!context.steering.closeIfEmpty()) continue;
      await context.equipment.skills.endTurn();
      return finished(context, turn.message);
    }
  }
}

/** Agents that it started are still at work, or have something to tell; the model hears of that before it may end. */
async function waitsForTeam(context: RunContext): Promise<boolean> {
  const text = await context.team.beforeEnd(context.signal, context.steering.next());
  if (text !== null) await sayItself(context, text);
  return text !== null;
}

/** Said by Cairn, not by the person. */
async function sayItself({ session, ports }: RunContext, text: string): Promise<void> {
  await session.add({ ...userMessage(text, ports.clock.now(), true), automatic: true });
}

/** With open to-dos the agent is asked to go on, unless the person or the model said no. */
async function goesOn(context: RunContext, message: AssistantMessage): Promise<boolean> {
  const { autoContinue, emitter, equipment, session } = context;
  if (message.finish === 'refusal' || wasRefused(context) || !canMarkTodos(equipment.tools)) return false;
  const next = autoContinue.next(session.todos.items);
  if (next.kind === 'stop') emitter.emit({ type: 'notice', level: 'warning', text: next.text });
  if (next.kind !== 'continue') return false;
  const { text, count, max, open } = next;
  const happened = { type: 'auto-continued', count, max, open } as const;
  await session.note(happened);
  emitter.emit(happened);
  await sayItself(context, text);
  return true;
}

/** Goes on where the last run was cut off: first the calls that have no result, else with a word to the model. */
async function finishInterrupted(context: RunContext): Promise<void> {
  const { session } = context;
  const open = session.openCalls();
  if (open.length > 0) await finishOpenCalls(context, open);
  else if (wasCutOff(session.messages.at(-1)))
    await takeInput(inputParts(context), 'Go on where you were cut off.', true);
}

function canMarkTodos(tools: ToolRegistry): boolean {
  return tools.get('todo__done') !== undefined || tools.get('todowrite') !== undefined;
}

function inputParts({ session, emitter, ports }: RunContext) {
  return { session, emitter, clock: ports.clock };
}

/** When the last thing tried was refused, the run did not do what was asked, and says so. */
function finished(context: RunContext, message: AssistantMessage): RunOutcome {
  const answer = context.answersCode ? firstCodeBlock(textOf(message)) : textOf(message);
  return wasRefused(context) ? { kind: 'rejected', answer } : { kind: 'completed', answer };
}

function wasRefused({ session }: RunContext): boolean {
  const lastResults = session.messages.findLast((one) => one.role === 'tool' || (one.role === 'user' && !one.steering));
  return lastResults?.role === 'tool' && lastResults.results.some(({ status }) => status === 'rejected');
}
