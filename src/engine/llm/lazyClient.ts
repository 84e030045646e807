import type { LlmClient, LlmEvent } from './llmClient';

/** Returns a client that is loaded on its first request. Its streams reject only if `load` does, as in a damaged installation. */
export function lazyClient(load: () => Promise<LlmClient>): LlmClient {
  return { stream: (request, signal) => laterStream(async () => (await load()).stream(request, signal)) };
}

/**
 * Returns a stream that is opened lazily. Events are forwarded without a generator, which would add an extra await for each of
 * them. Rejects only if `begin` or the stream does.
 */
export function laterStream(begin: () => Promise<AsyncIterable<LlmEvent>>): AsyncIterable<LlmEvent> {
  return {
    [Symbol.asyncIterator](): AsyncIterator<LlmEvent, void> {
      let inner: AsyncIterator<LlmEvent, void> | undefined;
      const first = async () => {
        inner = (await begin())[Symbol.asyncIterator]();
        return inner.next();
      };
      return {
        next: () => inner?.next() ?? first(),
        return: async () => (await inner?.return?.()) ?? { done: true, value: undefined },
      };
    },
  };
}
