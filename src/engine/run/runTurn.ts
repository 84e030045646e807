import { throwIfAborted } from '../../base/abort';
import { estimateRequest } from '../context/estimateTokens';
import type { RunOutcome } from '../events/runOutcome';
import { costOf } from '../llm/costOf';
import { type CollectedReply, collectReply } from '../llm/collectReply';
import type { LlmEvent } from '../llm/llmEvent';
import type { AssistantMessage } from '../messages/message';
import { fitConversation, shrinkConversation } from './fitConversation';
import type { RunContext } from './runContext';

export type Turn = { kind: 'reply'; message: AssistantMessage } | { kind: 'failed'; outcome: RunOutcome };

/** Fits the conversation, asks the model once, and keeps its answer, also the part of one that was cut off. */
export async function runTurn(context: RunContext): Promise<Turn> {
  const { session, emitter, signal, model, team } = context;
  throwIfAborted(signal);
  emitter.emit({ type: 'state-changed', state: 'thinking' });
  let reply = await askModel(context);
  if (reply.failure?.reason === 'context-overflow' && (await shrinkConversation(context)))
    reply = await askModel(context);
  const { message, failure } = reply;
  if (message.parts.length > 0) await session.add(message);
  const { usage } = message;
  if (usage) {
    team.spend(usage, model);
    const costUsd = costOf(usage, model);
    emitter.emit({ type: 'usage-reported', usage, contextWindow: model.contextWindow, costUsd });
  }
  emitter.emit({ type: 'reply-finished', message });
  if (message.finish === 'length') {
    const text = 'The answer reached the output limit of the model and is cut there. Ask it to go on.';
    emitter.emit({ type: 'notice', level: 'warning', text });
  }
  if (!failure) return { kind: 'reply', message };
  if (failure.reason === 'cancelled' || signal.aborted) return { kind: 'failed', outcome: { kind: 'cancelled' } };
  return { kind: 'failed', outcome: { kind: 'failed', reason: failure.reason, message: failure.message } };
}

async function askModel(context: RunContext): Promise<CollectedReply> {
  const { client, equipment, signal, model, ports, gauge } = context;
  await equipment.forRequest();
  const messages = await fitConversation(context);
  const { system, tools } = equipment;
  throwIfAborted(signal);
  const reply = await collectReply(
    client.stream({ system, messages, tools: tools.specs, ...context.sampling }, signal),
    { agent: context.agent, model: model.id, time: ports.clock.now() },
    (event) => announce(event, context),
  );
  const { usage } = reply.message;
  if (usage) gauge.report(estimateRequest(system, tools.specs, messages), usage.inputTokens);
  return reply;
}

function announce(event: LlmEvent, { emitter, equipment }: RunContext): void {
  switch (event.type) {
    case 'text-delta':
    case 'thinking-delta':
      return emitter.emit({ type: event.type, text: event.text });
    case 'thinking-finished':
      return emitter.emit({ type: 'thinking-finished' });
    case 'tool-call-started': {
      const category = equipment.tools.get(event.name)?.category ?? 'agent';
      return emitter.emit({ type: 'tool-announced', callId: event.id, tool: event.name, category });
    }
    case 'notice':
      return emitter.emit({ type: 'notice', level: 'warning', text: event.text });
    case 'redacted-thinking':
    case 'tool-call':
    case 'usage':
    case 'finished':
    case 'failed':
      return;
  }
}
