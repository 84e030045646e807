import type { Handlers } from '../../../protocol/hostApi';
import type { ChatApiParts } from './chatApiParts';

export function sessionHandlers({
  chats,
  sessions,
  attach,
  lastShown,
}: Pick<ChatApiParts, 'chats' | 'sessions' | 'attach' | 'lastShown'>): Handlers<
  'chat/open' | 'session/new' | 'session/list' | 'session/rename' | 'session/delete' | 'session/open-in-editor'
> {
  return {
    'chat/open': async ({ sessionId }) => attach(await chats.openBest(sessionId ?? lastShown())),
    'session/new': async () => attach(await chats.openNew()),
    'session/list': () => chats.list(),
    'session/rename': async ({ sessionId, title }) => {
      await sessions.rename(sessionId, title);
      return null;
    },
    'session/delete': async ({ sessionId }) => ({ deleted: await sessions.remove(sessionId) }),
    'session/open-in-editor': ({ sessionId }) => {
      sessions.openInEditor(sessionId);
      return Promise.resolve(null);
    },
  };
}
