import { errorText } from '../../../base/errors';
import type { AssistantMessage, Message } from '../../messages/message';
import { sdkError } from './sdkError';

/**
 * Messages whose thinking the vendor did not take back. Thinking is bound to its account and to everything before it, so a new
 * key, a branch, a summary, or a changed prompt may invalidate it; what the model thinks afterwards is valid again.
 * https://platform.claude.com/docs/build-with-claude/preserved-thinking/prefix-checks, seen 2026-11-27, and
 * https://github.com/openai/codex/issues/8145, seen 2026-11-27.
 */
const refused = new WeakSet<Message>();

/** Whether this model (`provider:model`) said the message and may get its thinking back. */
export function isOwn(message: Message, model: string): message is AssistantMessage {
  return message.role === 'assistant' && message.model === model && !refused.has(message);
}

/**
 * Opens a stream. If the vendor refuses with a message that matches `refusal` to take back what the model thought, opens it again
 * without that thinking, which is not sent again later either.
 */
export async function withoutRefusedThinking<T>(
  messages: readonly Message[],
  { model, refusal }: { model: string; refusal: RegExp },
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const thoughts = messages.filter((one) => isOwn(one, model) && hasThinking(one));
    if (thoughts.length === 0 || sdkError(error).status !== 400 || !refusal.test(errorText(error))) throw error;
    for (const one of thoughts) refused.add(one);
    return open();
  }
}

function hasThinking({ parts }: AssistantMessage): boolean {
  return parts.some(({ type }) => type === 'thinking' || type === 'redacted-thinking');
}
