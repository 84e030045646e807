import type { LlmClient, LlmEvent, LlmFailure, LlmRequest } from '../../../src/engine/llm/llmClient';
import type { Image } from '../../../src/engine/messages/attachment';
import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../../../src/engine/messages/message';
import type { ToolCall, ToolResult } from '../../../src/engine/messages/toolCall';

export const NEVER = new AbortController().signal;

export function user(text: string, steering = false): UserMessage {
  return { role: 'user', id: 'u', time: 0, parts: [{ type: 'text', text }], steering };
}

/** One red pixel. */
export const PICTURE: Image = {
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
};

export function seeing(text: string): UserMessage {
  const parts: UserMessage['parts'] = [
    { type: 'text', text },
    { type: 'image', image: PICTURE },
  ];
  return { ...user(text), parts };
}

export function assistant(
  parts: AssistantMessage['parts'],
  overrides: Partial<AssistantMessage> = {},
): AssistantMessage {
  const finish = parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
  return { role: 'assistant', id: 'a', time: 0, agent: 'coder', model: 'p:m', parts, finish, ...overrides };
}

export function said(text: string): AssistantMessage['parts'][number] {
  return { type: 'text', text };
}

export function called(call: ToolCall): AssistantMessage['parts'][number] {
  return { type: 'tool-call', call };
}

export function result(callId: string, text: string, overrides: Partial<ToolResult> = {}): ToolResult {
  return { callId, name: 'fs_read', status: 'ok', text, detail: null, durationMs: 1, ...overrides };
}

export function results(...list: ToolResult[]): ToolMessage {
  return { role: 'tool', id: 't', time: 0, results: list };
}

export function request(messages: readonly Message[], overrides: Partial<LlmRequest> = {}): LlmRequest {
  return { system: 'Be brief.', messages, tools: [], ...overrides };
}

/** Returns all events of one answer. */
export async function eventsOf(client: LlmClient, question: LlmRequest, signal = NEVER): Promise<LlmEvent[]> {
  const events: LlmEvent[] = [];
  for await (const event of client.stream(question, signal)) events.push(event);
  return events;
}

export function textIn(events: readonly LlmEvent[]): string {
  return events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');
}

export function callsIn(events: readonly LlmEvent[]): ToolCall[] {
  return events.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
}

/** Returns the failure that ends the events. */
export function failureIn(events: readonly LlmEvent[]): LlmFailure {
  const last = events.at(-1);
  if (last?.type !== 'failed') throw new Error(`The stream ended with ${JSON.stringify(last)}`);
  return last.failure;
}
