import { laterStream } from './laterStream';
import type { LlmClient } from './llmClient';

/** A client that is loaded with its first request. Its streams reject only when `load` does, as in a damaged installation. */
export function lazyClient(load: () => Promise<LlmClient>): LlmClient {
  return { stream: (request, signal) => laterStream(async () => (await load()).stream(request, signal)) };
}
