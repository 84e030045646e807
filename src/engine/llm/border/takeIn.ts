import { mappedStream } from '../../../base/streams/mappedStream';
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

function taken(next: LlmClient, model: string, request: LlmRequest, signal: AbortSignal): AsyncIterable<LlmEvent> {
  const reply = new TakenReply(request.messages);
  const sent = () => ({
    ...request,
    system: request.system.toWellFormed(),
    messages: vendorMessages(request.messages, model),
  });
  return mappedStream(
    () => next.stream(sent(), signal),
    (event) => {
      const kept = reply.take(event);
      return kept ? [kept] : [];
    },
  );
}
