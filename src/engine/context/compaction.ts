import { type Message, userMessage } from '../messages/message';
import type { TodoItem } from '../messages/todoItem';
import { estimateMessage } from './estimateTokens';
import type { PinnedWords } from './pinnedWords';

/** What stands in a conversation for everything before `keptFrom`. */
export interface Compaction {
  /** The summary, with the pinned texts verbatim. */
  text: string;
  /** The id of the first message that is kept whole. */
  keptFrom: string;
  time: number;
}

const SUMMARY = '-summary';
/** An exchange that is no longer stays together, whatever was asked for. */
const SHORT_EXCHANGE = 2_000;

/** The conversation as the model sees it: the summary first, then what is kept. */
export function compactedView(messages: readonly Message[], compaction: Compaction | undefined): Message[] {
  if (!compaction) return [...messages];
  const start = messages.findIndex(({ id }) => id === compaction.keptFrom);
  if (start < 0) return [...messages];
  const summary = { ...userMessage(compaction.text, compaction.time, false), id: compaction.keptFrom + SUMMARY };
  return [summary, ...messages.slice(start)];
}

/**
 * The first message to keep, with no more than `tokens` from there on: one of the person, or an answer before which every
 * call has its result. When even the last of these is more, the last exchange if it is short, else that last one. Undefined
 * when there is none but the first message. Takes a conversation in which every result follows its call.
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

/** Whether a summary of `older` would hold anything: not what stands in an earlier one, and not only what is pinned anyway. */
export function hasUnsummed(older: readonly Message[], pinned: PinnedWords): boolean {
  return older.some(
    (message) =>
      !isSummary(message) && !pinned.whole.has(message.id) && !(message.role === 'user' && message.automatic),
  );
}

export function isSummary({ id }: Message): boolean {
  return id.endsWith(SUMMARY);
}

/** The summary with what must not be lost in the model's own words: what the person said, and the to-dos as they stand. */
export function compactionText(summary: string, pinned: PinnedWords, todos: readonly TodoItem[]): string {
  const list = todos.map(({ id, text, done }) => `${done ? '[x]' : '[ ]'} ${id}. ${text}`);
  return [
    'This conversation was shortened. What was said before, in short:',
    summary.trim(),
    ...(pinned.texts.length > 0 ? ['What the person said, word for word:', ...pinned.texts.map(marked)] : []),
    ...(list.length > 0 ? ['The to-dos as they stand:', list.join('\n')] : []),
  ].join('\n\n');
}

function marked(text: string): string {
  return `<said>\n${text}\n</said>`;
}
