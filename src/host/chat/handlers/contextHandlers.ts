import { isAbort } from '../../../base/abort';
import type { Handlers } from '../../../protocol/hostApi';
import type { ChatApiParts } from './chatApiParts';

export function contextHandlers({
  context,
}: Pick<ChatApiParts, 'context'>): Handlers<'context/search' | 'context/from-uris'> {
  let searching = new AbortController();
  return {
    'context/search': async ({ query }) => {
      searching.abort();
      const mine = (searching = new AbortController());
      try {
        return await context.search(query, mine.signal);
      } catch (error) {
        // Somebody typed on: nobody waits for this answer any more.
        if (isAbort(error)) return [];
        throw error;
      }
    },
    'context/from-uris': ({ uris }) => context.fromUris(uris),
  };
}
