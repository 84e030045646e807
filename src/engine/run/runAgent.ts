import type { RunOutcome } from '../events/runOutcome';
import { costOf } from '../llm/costOf';
import { type AssistantMessage, textOf, toolCallsOf } from '../messages/message';
import { wasCutOff } from '../sessions/agentSession';
import type { RunContext } from './runContext';
import { finishOpenCalls, runToolCalls } from './runToolCalls';
import { runTurn } from './runTurn';
import { reachedLimit } from './stopConditions';
import { takeInput } from './takeInput';

/** The loop: take what the person said meanwhile, ask the model, run its calls; until it has nothing more to do. */
export async function runAgent(context: RunContext): Promise<RunOutcome> {
  await finishInterrupted(context);
  let tokens = 0;
  let costUsd = 0;
  for (let turns = 0; ; turns++) {
    for (const input of context.steering.take()) await takeInput(inputParts(context), input, true);
    const elapsedMs = context.ports.clock.now() - context.startedAt;
    const limit = reachedLimit(context.limits, { turns, elapsedMs, tokens, costUsd });
    if (limit) return limit;
    const turn = await runTurn(context);
    if (turn.kind === 'failed') return turn.outcome;
    const { usage } = turn.message;
    if (usage) {
      tokens += usage.inputTokens + usage.outputTokens;
      costUsd += costOf(usage, context.model) ?? 0;
    }
    const calls = toolCallsOf(turn.message);
    if (calls.length > 0) await runToolCalls(context, calls);
    else if (!context.steering.waiting) return finished(context, turn.message);
  }
}

/** Goes on where the last run was cut off: first the calls that have no result, else with a word to the model. */
async function finishInterrupted(context: RunContext): Promise<void> {
  const { session } = context;
  const open = session.openCalls();
  if (open.length > 0) await finishOpenCalls(context, open);
  else if (wasCutOff(session.messages.at(-1)))
    await takeInput(inputParts(context), 'Go on where you were cut off.', true);
}

function inputParts({ session, emitter, ports }: RunContext) {
  return { session, emitter, clock: ports.clock };
}

/** When the last thing tried was refused, the run did not do what was asked, and says so. */
function finished({ session }: RunContext, message: AssistantMessage): RunOutcome {
  const answer = textOf(message);
  const lastResults = session.messages.findLast((one) => one.role === 'tool' || (one.role === 'user' && !one.steering));
  const refused = lastResults?.role === 'tool' && lastResults.results.some(({ status }) => status === 'rejected');
  return refused ? { kind: 'rejected', answer } : { kind: 'completed', answer };
}
