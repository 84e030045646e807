import { type AssistantMessage, type Message, toolCallsOf, type ToolMessage } from './message';
import type { ToolCall, ToolResult } from './toolCall';

/** Returns the result for a call that was interrupted before it had one. */
export function interruptedResult(call: { id: string; name: string }, text: string): ToolResult {
  return { callId: call.id, name: call.name, status: 'cancelled', text, detail: null, durationMs: 0 };
}

/** Caches correct answers: messages are immutable, and the results of a later call are only searched after it. */
const answers = new WeakMap<AssistantMessage, ToolMessage>();

/**
 * Ensures that every call is followed by its result and every result has a call, since vendors reject anything else. Moves late
 * results to their calls, adds missing ones as interrupted, and drops those without a call.
 */
export function repairTranscript(messages: readonly Message[]): Message[] {
  const placed = new Set<ToolResult>();
  const repaired: Message[] = [];
  messages.forEach((message, index) => {
    // Results were already added after their calls.
    if (message.role === 'tool') return;
    repaired.push(message);
    const answer = message.role === 'assistant' ? answerTo(message, messages, index + 1, placed) : undefined;
    if (answer) repaired.push(answer);
  });
  return repaired;
}

/** Returns the tool message for a message with calls; `from` is the index of the next message. */
function answerTo(
  message: AssistantMessage,
  messages: readonly Message[],
  from: number,
  placed: Set<ToolResult>,
): ToolMessage | undefined {
  const next = messages[from];
  const known = answers.get(message);
  if (known && known === next) return known;
  const calls = toolCallsOf(message);
  if (calls.length === 0) return undefined;
  const results = calls.map((call) => {
    const result = resultOf(call, messages, from, placed);
    if (result) placed.add(result);
    return result ?? interruptedResult(call, 'This call was interrupted before it returned a result.');
  });
  if (next?.role !== 'tool' || !isSame(next.results, results)) return toolMessage(message, results);
  answers.set(message, next);
  return next;
}

/** Some vendors reuse call ids in each answer, so a later call with the same id ends the search. */
function resultOf(
  { id }: ToolCall,
  messages: readonly Message[],
  from: number,
  placed: ReadonlySet<ToolResult>,
): ToolResult | undefined {
  for (let index = from; index < messages.length; index++) {
    const message = messages[index];
    if (message?.role === 'assistant' && toolCallsOf(message).some((call) => call.id === id)) return undefined;
    if (message?.role !== 'tool') continue;
    const found = message.results.find((one) => one.callId === id && !placed.has(one));
    if (found) return found;
  }
  return undefined;
}

function isSame(given: readonly ToolResult[], wanted: readonly ToolResult[]): boolean {
  return given.length === wanted.length && given.every((result, index) => result === wanted[index]);
}

function toolMessage({ id, time }: Message, results: ToolResult[]): ToolMessage {
  return { role: 'tool', id: `${id}-repair`, time, results };
}
