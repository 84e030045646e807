import type { LlmClient } from './llmClient';
import type { LlmEvent } from './llmEvent';

/**
 * A client that is loaded with its first request. Its events go past this without a generator of their own, since there
 * are many and each would wait once more. Rejects only when `load` does, as in a damaged installation.
 */
export function lazyClient(load: () => Promise<LlmClient>): LlmClient {
  return {
    stream: (request, signal) => ({
      [Symbol.asyncIterator](): AsyncIterator<LlmEvent, void> {
        let inner: AsyncIterator<LlmEvent, void> | undefined;
        const begin = async () => {
          inner = (await load()).stream(request, signal)[Symbol.asyncIterator]();
          return inner.next();
        };
        return {
          next: () => inner?.next() ?? begin(),
          return: async () => (await inner?.return?.()) ?? { done: true, value: undefined },
        };
      },
    }),
  };
}
