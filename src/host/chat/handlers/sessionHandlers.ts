import type { Handlers } from '../../../protocol/hostApi';
import type { ChatApiParts } from '../chatApi';

export function sessionHandlers({
  chats,
  attach,
  lastShown,
}: Pick<ChatApiParts, 'chats' | 'attach' | 'lastShown'>): Handlers<'chat/open' | 'session/new' | 'session/list'> {
  return {
    'chat/open': async ({ sessionId }) => attach(await chats.openBest(sessionId ?? lastShown())),
    'session/new': async () => attach(await chats.openNew()),
    'session/list': () => chats.list(),
  };
}
