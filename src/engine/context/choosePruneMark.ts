import type { Message } from '../messages/message';
import { prunedMessage } from './prunedView';

/** Up to where a conversation is pruned, and what it then is. */
export interface PruneMark {
  /** The id of the last message that loses something. */
  upTo: string;
  messages: readonly Message[];
}

/**
 * How far to prune, oldest first, until enough is saved or only the last `keep` messages are left. Undefined when nothing
 * can be taken out.
 */
export function choosePruneMark(
  messages: readonly Message[],
  keep: number,
  isEnough: (messages: readonly Message[]) => boolean,
): PruneMark | undefined {
  const pruned = [...messages];
  let upTo: string | undefined;
  for (const [index, message] of messages.slice(0, Math.max(0, messages.length - keep)).entries()) {
    const short = prunedMessage(message);
    if (short === message) continue;
    if (isEnough(pruned)) break;
    pruned[index] = short;
    upTo = message.id;
  }
  return upTo === undefined ? undefined : { upTo, messages: pruned };
}
