import type { RunOutcome } from '../events/runOutcome';
import { type AssistantMessage, textOf, toolCallsOf, userMessage } from '../messages/message';
import { titleFrom, wasCutOff } from '../sessions/agentSession';
import type { RunContext } from './runContext';
import { finishOpenCalls, runToolCalls } from './runToolCalls';
import { runTurn } from './runTurn';
import { reachedLimit } from './stopConditions';

/** The loop: take what the person said, ask the model, run its calls; until it has nothing more to do. */
export async function runAgent(context: RunContext, input: string | undefined): Promise<RunOutcome> {
  if (input === undefined) await resume(context);
  else await takeInput(context, input, false);
  for (let turns = 0; ; turns++) {
    for (const text of context.steering.take()) await takeInput(context, text, true);
    const elapsedMs = context.ports.clock.now() - context.startedAt;
    const limit = reachedLimit(context.limits, { turns, elapsedMs });
    if (limit) return limit;
    const turn = await runTurn(context);
    if (turn.kind === 'failed') return turn.outcome;
    const calls = toolCallsOf(turn.message);
    if (calls.length > 0) await runToolCalls(context, calls);
    else if (!context.steering.waiting) return finished(context, turn.message);
  }
}

/** The person's message, kept before anything is done with it. A new one ends what an interrupted run left open. */
async function takeInput(context: RunContext, text: string, steering: boolean): Promise<void> {
  const { session, ports, emitter } = context;
  const message = userMessage(text, ports.clock.now(), steering);
  await session.add(message);
  emitter.emit({ type: 'message-taken', message });
  if (session.metadata.title !== '') return;
  const title = titleFrom(text);
  await session.configure({ title });
  emitter.emit({ type: 'session-renamed', title });
}

/** Goes on where the last run was cut off: first the calls that have no result, else with a word to the model. */
async function resume(context: RunContext): Promise<void> {
  const open = context.session.openCalls();
  if (open.length > 0) await finishOpenCalls(context, open);
  else if (wasCutOff(context.session.messages.at(-1))) await takeInput(context, 'Go on where you were cut off.', true);
}

/** When the last thing tried was refused, the run did not do what was asked, and says so. */
function finished({ session }: RunContext, message: AssistantMessage): RunOutcome {
  const answer = textOf(message);
  const lastResults = session.messages.findLast((one) => one.role === 'tool' || (one.role === 'user' && !one.steering));
  const refused = lastResults?.role === 'tool' && lastResults.results.some(({ status }) => status === 'rejected');
  return refused ? { kind: 'rejected', answer } : { kind: 'completed', answer };
}
