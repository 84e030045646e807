import * as z from '../../base/zod';
import type { AssistantMessage, Message, ToolMessage } from '../messages/message';
import type { ToolResult } from '../messages/toolCall';

/** Results and arguments up to this length, in characters, are worth keeping. */
const BULKY = 1_500;
/** In a bulky call, shorter texts are kept: they tell where and how it acted. */
const LONG_ARGUMENT = 300;

/** A skill's instructions appear nowhere else. */
const NEVER: ReadonlySet<string> = new Set(['skill__load']);

/**
 * Returns the conversation without the bulk of old calls, up to and including the message `upTo`: their results, and their long
 * text arguments. Deterministic, so that earlier parts of a request stay identical.
 */
export function prunedView(messages: readonly Message[], upTo: string | undefined): readonly Message[] {
  if (upTo === undefined) return messages;
  const last = messages.findIndex(({ id }) => id === upTo);
  if (last < 0) return messages;
  return messages.map((message, index) => (index <= last ? prunedMessage(message) : message));
}

const remembered = new WeakMap<Message, Message>();

/** Returns the same object if nothing is bulky, and always the same copy for a message, so that cached token counts stay valid. */
export function prunedMessage(message: Message): Message {
  const before = remembered.get(message);
  if (before) return before;
  const pruned = prune(message);
  remembered.set(message, pruned);
  return pruned;
}

function prune(message: Message): Message {
  if (message.role === 'tool') return message.results.some(isBulky) ? withoutResults(message) : message;
  if (message.role === 'assistant') return message.parts.some(isBulkyCall) ? withoutArguments(message) : message;
  return message;
}

function isBulky({ name, text, images }: ToolResult): boolean {
  return !NEVER.has(name) && (text.length > BULKY || images !== undefined);
}

function isBulkyCall(part: AssistantMessage['parts'][number]): boolean {
  return part.type === 'tool-call' && part.call.arguments.length > BULKY;
}

function withoutResults(message: ToolMessage): ToolMessage {
  return { ...message, results: message.results.map((one) => (isBulky(one) ? withoutText(one) : one)) };
}

function withoutText({ callId, name, status, text, detail, durationMs }: ToolResult): ToolResult {
  const note = `(The output of ${name}, ${text.length} characters, was taken out to save room. Call it again if you need it, for less if it was long.)`;
  return { callId, name, status, text: note, detail, durationMs };
}

function withoutArguments(message: AssistantMessage): AssistantMessage {
  const parts = message.parts.map((part) =>
    part.type === 'tool-call' && isBulkyCall(part)
      ? { ...part, call: { ...part.call, arguments: shortArguments(part.call.arguments) } }
      : part,
  );
  return { ...message, parts };
}

const inputSchema = z.record(z.string(), z.unknown());

/** The result is still an object with the same keys. */
function shortArguments(text: string): string {
  try {
    const parsed = inputSchema.safeParse(JSON.parse(text));
    return parsed.success ? JSON.stringify(shortened(parsed.data)) : '{}';
  } catch {
    return '{}';
  }
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > LONG_ARGUMENT ? `(${value.length} characters, taken out to save room)` : value;
  }
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}

/** How far a conversation is pruned, and the result. */
interface PruneMark {
  /** The id of the last message that was shortened. */
  upTo: string;
  messages: readonly Message[];
}

/**
 * Chooses how far to prune, oldest first, until enough is saved or only the last `keep` messages remain. Returns undefined if
 * nothing can be removed.
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
