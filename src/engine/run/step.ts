import type { RunOutcome } from '../events/runOutcome';
import { type AssistantMessage, userMessage } from '../messages/message';
import type { ToolCall } from '../messages/toolCall';
import type { ToolResult } from '../messages/toolResult';
import type { RunContext, RunPlace } from './runContext';
import { runToolCalls } from './runToolCalls';
import { runTurn } from './runTurn';
import { reachedLimit } from './stopConditions';
import { takeInput } from './takeInput';

/** The run cannot go on. */
export interface Ended {
  kind: 'ended';
  outcome: RunOutcome;
}

export interface Answered {
  kind: 'answered';
  message: AssistantMessage;
  calls: readonly ToolCall[];
}

export interface Called {
  kind: 'called';
  results: readonly ToolResult[];
}

/**
 * What every loop is made of: take what the person said meanwhile, ask the model once, run its calls. `answered`: it called
 * nothing. Rejects with AbortError, and with EngineError `middleware`.
 */
export async function step(context: RunContext): Promise<Answered | Called | Ended> {
  const { conversation, calling, steering, autoContinue } = context;
  const { session, emitter, ports, middleware } = conversation;
  for (const input of steering.take()) {
    autoContinue.reset();
    calling.repeats.reset();
    await takeInput({ session, emitter, clock: ports.clock, middleware }, input, true);
  }
  const asked = await askStep(context);
  if (asked.kind === 'ended' || asked.calls.length === 0) return asked;
  return callStep(context, asked.calls);
}

/** The first half: what other agents had to tell, the limits, and one question to the model, whose answer is kept. */
export async function askStep({ conversation, limits }: RunContext): Promise<Answered | Ended> {
  const { team, progress } = conversation;
  for (const text of team.takeNews()) await sayItself(conversation, text);
  const limit = reachedLimit(limits, { turns: progress.turn }) ?? team.spending.takeTurn();
  if (limit) return { kind: 'ended', outcome: limit };
  const turn = await runTurn(conversation);
  if (turn.kind === 'failed') return { kind: 'ended', outcome: turn.outcome };
  return { kind: 'answered', message: turn.message, calls: turn.calls };
}

/** The second half: the calls, at least one, and whether the run is stuck in them. */
export async function callStep(
  { calling, autoContinue }: RunContext,
  calls: readonly ToolCall[],
): Promise<Called | Ended> {
  autoContinue.called(calls.length);
  calling.team.called();
  const results = await runToolCalls(calling, calls);
  const { stopped } = calling.progress;
  if (stopped) return { kind: 'ended', outcome: stopped };
  if (calling.repeats.isStuck) return { kind: 'ended', outcome: { kind: 'limit-reached', limit: 'repeats' } };
  return { kind: 'called', results };
}

/** Said by Cairn, not by the person. */
export async function sayItself({ session, ports }: RunPlace, text: string): Promise<void> {
  await session.add({ ...userMessage(text, ports.clock.now(), true), automatic: true });
}
