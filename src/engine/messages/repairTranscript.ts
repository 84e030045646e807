import { type Message, toolCallsOf } from './message';
import type { ToolResult } from './toolResult';

/** The result of a call that was cut off before it had one. */
export function interruptedResult(call: { id: string; name: string }, text: string): ToolResult {
  return { callId: call.id, name: call.name, status: 'cancelled', text, detail: null, durationMs: 0 };
}

/** Vendors refuse a call without a result: each one that is missing is put in, as interrupted, right after its call. */
export function repairTranscript(messages: readonly Message[]): Message[] {
  const repaired: Message[] = [];
  messages.forEach((message, index) => {
    repaired.push(message);
    if (message.role !== 'assistant') return;
    const next = messages[index + 1];
    const given = next?.role === 'tool' ? new Set(next.results.map(({ callId }) => callId)) : new Set<string>();
    const missing = toolCallsOf(message).filter(({ id }) => !given.has(id));
    if (missing.length === 0) return;
    const results = missing.map((call) => interruptedResult(call, 'This call was interrupted before it had a result.'));
    repaired.push({ role: 'tool', id: `${message.id}-repair`, time: message.time, results });
  });
  return repaired;
}
