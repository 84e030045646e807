import { truncateMiddle } from '../../base/truncate';
import { attachmentsOf, type Message, textOf, type UserMessage } from '../messages/message';
import { charactersOf, estimateText } from './estimateTokens';

/** Largest share of the total that one message may take, so that a long paste does not push out the requests around it. */
const SHARE_OF_ONE = 0.5;
/** A shorter excerpt of a message would be useless. */
const LEAST_TOKENS = 20;

export interface PinnedWords {
  /** In chronological order. */
  texts: readonly string[];
  /** Ids of the messages included in full. */
  whole: ReadonlySet<string>;
}

/** Returns the user's messages verbatim, preferring the newest while there is room; a long message loses its middle. */
export function pinnedWords(messages: readonly Message[], tokens: number): PinnedWords {
  const texts: string[] = [];
  const whole = new Set<string>();
  let left = tokens;
  for (const message of messages.toReversed()) {
    if (message.role !== 'user' || message.automatic) continue;
    if (left < LEAST_TOKENS) break;
    const words = wordsOf(message);
    const { text, omitted } = truncateMiddle(words, charactersOf(Math.min(left, tokens * SHARE_OF_ONE)));
    if (omitted === 0 && attachmentsOf(message).length === 0) whole.add(message.id);
    if (text.trim() !== '') texts.unshift(text);
    left -= estimateText(text);
  }
  return { texts, whole };
}

/** Returns the text with the names of its attachments: their contents are in the summary, or can be read again. */
function wordsOf(message: UserMessage): string {
  const labels = attachmentsOf(message).map((one) => (one.type === 'image' ? one.label : one.attachment?.label));
  const along = labels.length === 0 ? '' : `Sent along with it: ${labels.map((one) => one ?? 'a picture').join(', ')}`;
  return [textOf(message).trim(), along].filter((text) => text !== '').join('\n');
}
