import { EngineError } from '../engineError';
import type { Message } from '../messages/message';
import type { ContextStrategy, ConversationToFit, FittedContext } from './contextStrategy';

/**
 * Keeps the last rounds of a conversation, a round being an answer with the results of its calls, and asks no model for a
 * summary. When there are twice as many all but the last `count` go at once, so that requests begin alike as long as possible;
 * fewer are kept where those do not fit the model. Throws EngineError `invalid-input` unless `count` is a whole number above 0.
 */
export function keepLastRounds(count: number): ContextStrategy {
  if (!Number.isInteger(count) || count < 1) {
    const text = `keepLastRounds takes a whole number above 0, and was given ${count}. Say how many rounds are kept.`;
    throw new EngineError('invalid-input', text);
  }
  return {
    name: `keepLastRounds(${count})`,
    fit: (conversation) => lastRounds(conversation, count),
  };
}

function lastRounds({ messages, size, limit }: ConversationToFit, count: number): FittedContext {
  const isTooLong = size(messages) > limit;
  const starts = messages.flatMap(({ role }, index) => (role === 'assistant' && index > 0 ? [index] : []));
  if (starts.length < 2 * count && !isTooLong) return { messages };
  const fitting = starts.slice(-count).find((start) => size(messages.slice(start)) <= limit) ?? starts.at(-1);
  const first = fitting === undefined ? undefined : beginOfRound(messages, fitting);
  if (!first) return { messages };
  return { mark: { keptFrom: first.id, summary: 'What came before the last rounds was left out to save room.' } };
}

/** What was said right before an answer belongs to its round. Undefined for the first one: nothing would be left out. */
function beginOfRound(messages: readonly Message[], start: number): Message | undefined {
  let at = start;
  while (messages[at - 1]?.role === 'user') at--;
  return at > 0 ? messages[at] : undefined;
}
