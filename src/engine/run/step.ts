import { throwIfAborted } from '../../base/abort';
import { estimateRequest } from '../context/estimateTokens';
import { EngineError } from '../engineError';
import type { RunOutcome } from '../events/runOutcome';
import { type CollectedReply, collectReply } from '../llm/collectReply';
import type { LlmEvent, LlmRequest } from '../llm/llmClient';
import { costOf } from '../llm/model';
import { type AssistantMessage, type Message, toolCallsOf, userMessage } from '../messages/message';
import type { ToolCall, ToolResult } from '../messages/toolCall';
import { struckReply } from '../secrets/struckMessage';
import { toolSpecs } from '../tools/toolSpecs';
import { fitConversation, shrinkConversation } from './fitting/fitConversation';
import { countReply, keepSideUsage } from './requestUsage';
import type { Conversation, RunContext, RunPlace } from './runContext';
import { runToolCalls } from './runToolCalls';
import { type LimitReached, reachedLimit } from './stopConditions';
import { takeInput } from './takeInput';
import { tellCheckpoint } from './tellCheckpoint';
import { tellWaits } from './tellWaits';

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

interface Called {
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

/** `calls` are as the model made them; `message` is as stored, with secrets removed. */
type Turn =
  { kind: 'reply'; message: AssistantMessage; calls: readonly ToolCall[] } | { kind: 'failed'; outcome: RunOutcome };

/** How often a conversation is shortened for a model that rejects it as too long. */
const MOST_SHRINKING = 4;

/** Fits the conversation, asks the model once, and stores its answer, or the part of it that arrived before it was cut off. */
async function runTurn(context: Conversation): Promise<Turn> {
  try {
    return await takeTurn(context);
  } catch (error) {
    if (!EngineError.is(error, 'context-strategy')) throw error;
    return { kind: 'failed', outcome: { kind: 'failed', reason: 'context-strategy', message: error.message } };
  }
}

async function takeTurn(context: Conversation): Promise<Turn> {
  const { session, emitter, signal, model } = context;
  throwIfAborted(signal);
  emitter.emit({ type: 'state-changed', state: 'thinking' });
  context.progress.turn++;
  let reply = await askModel(context);
  for (let tries = 0; tries < MOST_SHRINKING && isTooMuch(reply) && (await shrunk(context)); tries++) {
    reply = await askModel(context);
  }
  if ('kind' in reply) return { kind: 'failed', outcome: reply };
  const { message, failure, lost } = await context.middleware.afterModel(reply);
  for (const usage of lost) if (usage) await keepSideUsage(context, model, usage);
  const { usage } = message;
  if (message.parts.length > 0) await session.add(message);
  else if (usage) await session.usedAside(model.id, usage);
  if (usage) {
    const costUsd = costOf(usage, model);
    emitter.emit({ type: 'usage-reported', model: model.id, usage, contextWindow: model.contextWindow, costUsd });
  }
  emitter.emit({ type: 'reply-finished', message });
  if (message.finish === 'length') {
    emitter.emit({ type: 'notice', level: 'warning', text: cutText(message) });
  }
  if (!failure) return { kind: 'reply', message: kept(context, message), calls: toolCallsOf(message) };
  if (failure.reason === 'cancelled' || signal.aborted) return { kind: 'failed', outcome: { kind: 'cancelled' } };
  return { kind: 'failed', outcome: { kind: 'failed', reason: failure.reason, message: failure.message } };
}

function kept({ ports: { strike } }: RunPlace, message: AssistantMessage): AssistantMessage {
  return strike ? struckReply(message, strike) : message;
}

function cutText(message: AssistantMessage): string {
  const said = 'The answer reached the output limit of the model and was cut off.';
  const cut = toolCallsOf(message).filter((call) => call.cut);
  if (cut.length === 0) return `${said} Ask it to continue.`;
  const names = cut.map(({ name }) => name).join(', ');
  return `${said} Incomplete calls (${names}) were not run; the model is told to split them up.`;
}

function isTooMuch(reply: CollectedReply | LimitReached): boolean {
  return !('kind' in reply) && reply.failure?.reason === 'context-overflow';
}

/** Messages that a program supplied stay unchanged. */
async function shrunk(context: Conversation): Promise<boolean> {
  if (context.instead?.messages !== undefined) return false;
  if (!context.strategy) return shrinkConversation(context);
  return (await import('./fitting/fitByStrategy')).shrinkByStrategy(context, context.strategy);
}

async function askModel(context: Conversation): Promise<CollectedReply | LimitReached> {
  const { client, signal, model, ports, gauge, team } = context;
  const { system, messages, tools, ...more } = await requestOf(context);
  throwIfAborted(signal);
  tellCheckpoint(context, 'before-model');
  let estimated: number | undefined;
  const estimate = () => (estimated ??= estimateRequest(system, tools, messages));
  const asked = { model, inputTokens: () => gauge.correct(estimate()) };
  return team.spending.request(
    asked,
    async (count) => {
      const reply = await collectReply(
        client.stream({ system, messages, tools, ...more }, signal),
        { agent: context.agent, model: model.id, time: ports.clock.now() },
        (event) => announce(event, context),
      );
      const { usage } = reply.message;
      countReply(reply, asked.inputTokens, count);
      if (usage) gauge.report(estimate(), usage.inputTokens);
      return reply;
    },
    signal,
  );
}

/** The code for custom strategies is loaded only if there is one. */
async function fitted(context: Conversation): Promise<Message[]> {
  if (!context.strategy) return fitConversation(context);
  return (await import('./fitting/fitByStrategy')).fitByStrategy(context, context.strategy);
}

async function requestOf(context: Conversation): Promise<LlmRequest> {
  const { promptAndTools, session, sampling, instead } = context;
  await promptAndTools.forRequest();
  const messages = instead?.messages ?? (await fitted(context));
  const { system, tools } = promptAndTools;
  const usual = { system, messages, tools: toolSpecs(tools), cacheKey: session.id, ...sampling };
  if (!instead) return usual;
  return { ...usual, system: instead.system ?? system, tools: instead.tools ?? toolSpecs(tools), ...instead.more };
}

function announce(event: LlmEvent, { emitter, promptAndTools }: RunPlace): void {
  switch (event.type) {
    case 'text-delta':
    case 'thinking-delta':
      return emitter.emit({ type: event.type, text: event.text });
    case 'thinking-finished':
      return emitter.emit({ type: 'thinking-finished' });
    case 'tool-call-started': {
      const category = promptAndTools.tools.get(event.name)?.category ?? 'agent';
      return emitter.emit({ type: 'tool-announced', callId: event.id, tool: event.name, category });
    }
    case 'notice':
      if (event.waitMs !== undefined) return tellWaits(emitter)(event);
      return emitter.emit({ type: 'notice', level: 'warning', text: event.text });
    case 'redacted-thinking':
    case 'tool-call':
    case 'usage':
    case 'finished':
    case 'failed':
      return;
  }
}
