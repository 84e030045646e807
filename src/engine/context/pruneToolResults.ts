import type { Message, ToolMessage } from '../messages/message';
import type { ToolResult } from '../messages/toolResult';

/** Shorter results are worth more than the room they take. */
const BULKY = 1_500;

/**
 * Old bulky tool results as one line each, oldest first, until enough is saved or only the last `keep` messages are left.
 * What is taken out can be had again by calling the tool.
 */
export function pruneToolResults(
  messages: readonly Message[],
  keep: number,
  isEnough: (messages: readonly Message[]) => boolean,
): Message[] {
  const pruned = [...messages];
  for (let index = 0; index < pruned.length - keep; index++) {
    const message = pruned[index];
    if (message?.role !== 'tool' || !message.results.some(isBulky)) continue;
    if (isEnough(pruned)) break;
    pruned[index] = prunedMessage(message);
  }
  return pruned;
}

const remembered = new WeakMap<ToolMessage, ToolMessage>();

/** The same message for the same one, so that what was counted of it stays known. */
function prunedMessage(message: ToolMessage): ToolMessage {
  const before = remembered.get(message);
  if (before) return before;
  const pruned = { ...message, results: message.results.map((one) => (isBulky(one) ? withoutText(one) : one)) };
  remembered.set(message, pruned);
  return pruned;
}

function isBulky({ text, images }: ToolResult): boolean {
  return text.length > BULKY || images !== undefined;
}

function withoutText(result: ToolResult): ToolResult {
  const { callId, name, status, detail, durationMs } = result;
  const text = `(The output of ${result.name}, ${result.text.length} characters, was taken out to save room. Call it again if you need it.)`;
  return { callId, name, status, text, detail, durationMs };
}
