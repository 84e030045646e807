import type { Message, UserMessage } from '../messages/message';
import { attachmentsOf, textOf, userMessage } from '../messages/message';
import type { TodoItem } from '../messages/todoItem';
import { estimateMessage } from './estimateTokens';

/** What stands in a conversation for everything before `keptFrom`. */
export interface Compaction {
  /** The summary, with the pinned texts verbatim. */
  text: string;
  /** The id of the first message that is kept whole. */
  keptFrom: string;
  time: number;
}

const SUMMARY = '-summary';

/** The conversation as the model sees it: the summary first, then what is kept. */
export function compactedView(messages: readonly Message[], compaction: Compaction | undefined): Message[] {
  if (!compaction) return [...messages];
  const start = messages.findIndex(({ id }) => id === compaction.keptFrom);
  if (start < 0) return [...messages];
  const summary = { ...userMessage(compaction.text, compaction.time, false), id: compaction.keptFrom + SUMMARY };
  return [summary, ...messages.slice(start)];
}

/**
 * The first message to keep: a message of the person, so that no call is parted from its result, with no more than
 * `tokens` after it; the last one of the person when even that is more. Undefined when there is nothing before it.
 */
export function chooseKeptFrom(messages: readonly Message[], tokens: number): Message | undefined {
  let sum = 0;
  let kept: Message | undefined;
  for (let index = messages.length - 1; index > 0; index--) {
    const message = messages[index];
    if (!message) break;
    sum += estimateMessage(message);
    if (message.role !== 'user') continue;
    if (kept && sum > tokens) break;
    kept = message;
  }
  return kept;
}

/** Whether something was said before `kept` that no summary has yet. */
export function hasUnsummed(messages: readonly Message[], kept: Message | undefined): boolean {
  const older = messages.slice(0, kept ? messages.indexOf(kept) : 0);
  return older.some(({ id }) => !id.endsWith(SUMMARY));
}

/** The summary with what must not be lost in the model's own words: the task, and the to-dos as they stand. */
export function compactionText(summary: string, messages: readonly Message[], todos: readonly TodoItem[]): string {
  const task = messages.find((message) => message.role === 'user');
  const list = todos.map(({ id, text, done }) => `${done ? '[x]' : '[ ]'} ${id}. ${text}`);
  return [
    'This conversation was shortened. What was said before, in short:',
    summary.trim(),
    ...(task ? ['The task, word for word:', textOf(task), ...sentAlong(task)] : []),
    ...(list.length > 0 ? ['The to-dos as they stand:', list.join('\n')] : []),
  ].join('\n\n');
}

/** What went with the task, by name: its contents are in the summary, or can be read again. */
function sentAlong(task: UserMessage): string[] {
  const labels = attachmentsOf(task).map((one) => (one.type === 'image' ? one.label : one.attachment?.label));
  return labels.length === 0 ? [] : [`Sent along with it: ${labels.map((label) => label ?? 'a picture').join(', ')}`];
}
