import { mappedStream } from '../../../base/streams/mappedStream';
import type { LlmClient, LlmEvent, LlmRequest } from '../llmClient';
import { respectAbilities } from '../middleware/respectAbilities';
import type { Model } from '../model';
import { TakenReply } from './takenReply';
import { vendorMessages } from './vendorMessages';

/** Returns a client that sends only what the model supports and normalizes its answers for storage. `id`: `provider:model`. */
export function fittingClient(
  next: LlmClient,
  describe: (signal: AbortSignal) => Promise<Model>,
  id: string,
): LlmClient {
  return takeIn(respectAbilities(next, describe), id);
}

/**
 * The boundary between Cairn and every model, whoever provides it: incoming answers are normalized for storage, and stored
 * messages are adapted before they are sent (`model`: `provider:model`).
 */
function takeIn(next: LlmClient, model: string): LlmClient {
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
