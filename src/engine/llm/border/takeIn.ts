import type { LlmClient } from '../llmClient';
import type { LlmEvent } from '../llmEvent';
import type { LlmRequest } from '../llmRequest';
import { TakenReply } from './takenReply';
import { vendorMessages } from './vendorMessages';

/**
 * The border between us and every model, whoever brings it: what it says is made fit to be kept for good, and what was kept is
 * made fit to be sent to it (`model`: `provider:model`).
 */
export function takeIn(next: LlmClient, model: string): LlmClient {
  return { stream: (request, signal) => taken(next, model, request, signal) };
}

async function* taken(
  next: LlmClient,
  model: string,
  request: LlmRequest,
  signal: AbortSignal,
): AsyncGenerator<LlmEvent, void, void> {
  const reply = new TakenReply(request.messages);
  const system = request.system.toWellFormed();
  const sent = { ...request, system, messages: vendorMessages(request.messages, model) };
  for await (const event of next.stream(sent, signal)) {
    const kept = reply.take(event);
    if (kept) yield kept;
  }
}
