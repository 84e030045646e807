import { mappedStream } from '../../../base/streams/mappedStream';
import type { LlmClient, LlmEvent, LlmRequest } from '../llmClient';
import { respectAbilities } from '../middleware/respectAbilities';
import type { Model } from '../model';
import { TakenReply } from './takenReply';
import { vendorMessages } from './vendorMessages';

/** A client that is given what its model can take, and whose answers are fit to be kept. `id`: `provider:model`. */
export function fittingClient(
  next: LlmClient,
  describe: (signal: AbortSignal) => Promise<Model>,
  id: string,
): LlmClient {
  return takeIn(respectAbilities(next, describe), id);
}

/**
 * The border between us and every model, whoever brings it: what it says is made fit to be kept for good, and what was kept is
 * made fit to be sent to it (`model`: `provider:model`).
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
