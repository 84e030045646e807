import type { RunOutcome } from '../events/runOutcome';
import { type AssistantMessage, userMessage } from '../messages/message';
import type { ToolCall } from '../messages/toolCall';
import type { ToolResult } from '../messages/toolResult';
import type { RunContext, RunPlace } from './runContext';
import { runToolCalls } from './runToolCalls';
import { runTurn } from './runTurn';
import { reachedLimit } from './stopConditions';
import { takeInput } from './takeInput';

/** The run cannot continue. */
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
 * The building block of every loop: takes what the user said in the meantime, asks the model once, and runs its calls.
 * `answered`: it made no calls. Rejects with AbortError, and with EngineError `middleware`.
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

/** The first half of a step: adds news from other agents, checks the limits, and asks the model once, storing its answer. */
export async function askStep({ conversation, limits }: RunContext): Promise<Answered | Ended> {
  const { team, progress } = conversation;
  for (const text of team.takeNews()) await sayItself(conversation, text);
  const limit = reachedLimit(limits, { turns: progress.turn }) ?? team.spending.takeTurn();
  if (limit) return { kind: 'ended', outcome: limit };
  const turn = await runTurn(conversation);
  if (turn.kind === 'failed') return { kind: 'ended', outcome: turn.outcome };
  return { kind: 'answered', message: turn.message, calls: turn.calls };
}

/** The second half of a step: runs the calls, of which there is at least one, and checks whether the run is stuck repeating them. */
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

/** Adds a message from Cairn itself rather than the user. */
export async function sayItself({ session, ports }: RunPlace, text: string): Promise<void> {
  await session.add({ ...userMessage(text, ports.clock.now(), true), automatic: true });
}
