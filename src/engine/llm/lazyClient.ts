import type { LlmClient, LlmEvent } from './llmClient';

/** A client that is loaded with its first request. Its streams reject only when `load` does, as in a damaged installation. */
export function lazyClient(load: () => Promise<LlmClient>): LlmClient {
  return { stream: (request, signal) => laterStream(async () => (await load()).stream(request, signal)) };
}

/**
 * A stream that is known only later. Its events go past this without a generator of their own, since there are many and each
 * would wait once more. Rejects only when `begin` does, or the stream.
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
