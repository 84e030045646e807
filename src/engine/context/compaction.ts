import { type Message, userMessage } from '../messages/message';
import type { TodoItem } from '../messages/todoItem';
import { estimateMessage } from './estimateTokens';
import type { PinnedWords } from './pinnedWords';

/** The replacement for everything in a conversation before `keptFrom`. */
export interface Compaction {
  /** The summary, with the pinned texts verbatim. */
  text: string;
  /** The id of the first message kept in full. */
  keptFrom: string;
  time: number;
}

const SUMMARY = '-summary';
/** An exchange no longer than this, in tokens, stays together whatever limit was requested. */
const SHORT_EXCHANGE = 2_000;

/** Returns the conversation as the model sees it: the summary, followed by the kept messages. */
export function compactedView(messages: readonly Message[], compaction: Compaction | undefined): Message[] {
  if (!compaction) return [...messages];
  const start = messages.findIndex(({ id }) => id === compaction.keptFrom);
  if (start < 0) return [...messages];
  const summary = { ...userMessage(compaction.text, compaction.time, false), id: compaction.keptFrom + SUMMARY };
  return [summary, ...messages.slice(start)];
}

/**
 * Returns the first message to keep so that at most `tokens` remain from there on: a user message, or an answer before which
 * every call has its result. If even the last one exceeds that, returns the start of the last exchange if it is short, otherwise
 * the last one. Undefined if only the first message would qualify. Expects a conversation in which every result follows its call.
 */
export function chooseKeptFrom(messages: readonly Message[], tokens: number): Message | undefined {
  let sum = 0;
  let last: Message | undefined;
  let exchange: Message | undefined;
  let kept: Message | undefined;
  for (let index = messages.length - 1; index > 0; index--) {
    const message = messages[index];
    if (!message) break;
    sum += estimateMessage(message);
    if (message.role === 'tool') continue;
    last ??= message;
    if (message.role === 'user' && sum <= SHORT_EXCHANGE) exchange ??= message;
    if (sum <= tokens) kept = message;
    else if (sum > SHORT_EXCHANGE) break;
  }
  return kept ?? exchange ?? last;
}

/** Whether a summary of `older` would contain anything beyond an earlier summary and what is pinned anyway. */
export function hasUnsummed(older: readonly Message[], pinned: PinnedWords): boolean {
  return older.some(
    (message) =>
      !isSummary(message) && !pinned.whole.has(message.id) && !(message.role === 'user' && message.automatic),
  );
}

export function isSummary({ id }: Message): boolean {
  return id.endsWith(SUMMARY);
}

/** Returns the summary, followed by what must not be paraphrased: the user's messages, and the current to-dos. */
export function compactionText(summary: string, pinned: PinnedWords, todos: readonly TodoItem[]): string {
  const list = todos.map(({ id, text, done }) => `${done ? '[x]' : '[ ]'} ${id}. ${text}`);
  return [
    'This conversation was shortened. What was said before, in short:',
    summary.trim(),
    ...(pinned.texts.length > 0 ? ['What the user said, word for word:', ...pinned.texts.map(marked)] : []),
    ...(list.length > 0 ? ['The to-dos as they stand:', list.join('\n')] : []),
  ].join('\n\n');
}

function marked(text: string): string {
  return `<said>\n${text}\n</said>`;
}
