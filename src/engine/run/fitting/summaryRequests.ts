import { truncateMiddle } from '../../../base/truncate';
import { isSummary } from '../../context/compaction';
import { charactersOf } from '../../context/estimateTokens';
import { prunedMessage } from '../../context/prunedView';
import type { Message } from '../../messages/message';

/** Of the room, what a request may take that was cut once, and again, because the model found it too long. */
const SHARES = [0.9, 0.45, 0.2];
/** Of that, what one message of the person or an earlier summary may take. */
const SHARE_OF_ONE = 0.25;

export interface Conversation {
  /** All of it, as it was sent. */
  whole: readonly Message[];
  /** What is to be summed up. */
  older: readonly Message[];
}

/**
 * What a summary may be asked of, best first: all of it, which the vendor has in its cache; the part that is summed up; and
 * less and less of that, where even that is more than the model can read. `size`: of a request with these messages.
 */
export function* summaryRequests(
  { whole, older }: Conversation,
  room: number,
  size: (messages: readonly Message[]) => number,
): Generator<readonly Message[]> {
  if (size(whole) <= room) yield whole;
  if (size(older) <= room) yield older;
  for (const share of SHARES) yield cutToFit(older, room * share, size);
}

/** Without the bulk of calls and of long messages; then without the oldest rounds after the beginning. */
function cutToFit(
  older: readonly Message[],
  room: number,
  size: (messages: readonly Message[]) => number,
): readonly Message[] {
  const most = charactersOf(room * SHARE_OF_ONE);
  const short = older.map((message) => shortened(prunedMessage(message), most));
  const begins = short.findIndex((message, index) => index > 0 && message.role === 'assistant');
  if (begins < 0) return short;
  const head = short.slice(0, begins).filter((message, index) => index === 0 || isSummary(message));
  let rest = short.slice(begins);
  while (size([...head, ...rest]) > room) {
    const next = rest.findIndex((message, index) => index > 0 && message.role !== 'tool');
    if (next < 0) break;
    rest = rest.slice(next);
  }
  return [...head, ...rest];
}

function shortened(message: Message, most: number): Message {
  if (message.role !== 'user') return message;
  const parts = message.parts.map((part) =>
    part.type === 'text' ? { ...part, text: truncateMiddle(part.text, most).text } : part,
  );
  return { ...message, parts };
}
