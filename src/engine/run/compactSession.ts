import compactionPrompt from '../../../assets/prompts/compaction.md';
import { chooseKeptFrom, compactionText } from '../context/compaction';
import { pruneToolResults } from '../context/pruneToolResults';
import { estimateRequest } from '../context/estimateTokens';
import { collectReply } from '../llm/collectReply';
import { textOf, userMessage } from '../messages/message';
import { repairTranscript } from '../messages/repairTranscript';
import { keepAside } from './aside/keepAside';
import type { RunContext } from './runContext';

/**
 * Has the model sum up the older part of the conversation and keeps the last exchanges, no more than `keepTokens`, whole.
 * False when there is nothing to sum up, or the model did not do it; then the conversation is as it was.
 */
export async function compactSession(context: RunContext, keepTokens: number): Promise<boolean> {
  const { session, emitter, client, signal, model, ports, team } = context;
  const kept = chooseKeptFrom(session.context, keepTokens);
  if (!kept || kept.id === session.context[0]?.id) return false;
  emitter.emit({ type: 'session-compressing' });
  const older = session.context.slice(0, session.context.indexOf(kept));
  const wish = userMessage('Write the notes now.', ports.clock.now(), false);
  const request = {
    system: compactionPrompt,
    messages: repairTranscript([...pruneToolResults(older, 0, () => false), wish]),
    tools: [],
  };
  const header = { agent: context.agent, model: model.id, time: ports.clock.now() };
  const inputTokens = () => context.gauge.correct(estimateRequest(request.system, request.tools, request.messages));
  const reply = await team.spending.request(
    { model, inputTokens },
    async (count) => {
      const collected = await collectReply(client.stream(request, signal), header, () => undefined);
      if (collected.message.usage) count(collected.message.usage);
      return collected;
    },
    signal,
  );
  // The limit that is reached stands against the next turn as well, which then says so.
  if ('kind' in reply) return false;
  const { message, failure } = reply;
  if (message.usage) await keepAside(context, model, message.usage);
  const summary = textOf(message).trim();
  if (failure || summary === '') return false;
  const text = compactionText(summary, session.messages, session.todos.items);
  await session.compact({ text, keptFrom: kept.id, time: ports.clock.now() });
  emitter.emit({ type: 'session-compressed' });
  return true;
}
