import type { Handlers } from '../../../protocol/hostApi';
import type { ChatApiParts } from '../chatApi';

export function branchHandlers({
  chats,
  sessions,
  attach,
}: Pick<ChatApiParts, 'chats' | 'sessions' | 'attach'>): Handlers<'session/changes-since' | 'session/branch'> {
  return {
    'session/changes-since': ({ sessionId, entryId }) => sessions.changesSince(sessionId, entryId),
    'session/branch': async ({ sessionId, entryId, text, restoreFiles }) => {
      const branch = await sessions.branch(sessionId, entryId, restoreFiles);
      branch?.run(text);
      return attach(branch ?? (await chats.open(sessionId)));
    },
  };
}
