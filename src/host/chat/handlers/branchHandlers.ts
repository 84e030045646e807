import { attachmentsOf } from '../../../engine';
import type { Handlers } from '../../../protocol/hostApi';
import type { ChatApiParts } from './chatApiParts';

export function branchHandlers({
  chats,
  sessions,
  attach,
}: Pick<ChatApiParts, 'chats' | 'sessions' | 'attach'>): Handlers<'session/changes-since' | 'session/branch'> {
  return {
    'session/changes-since': ({ sessionId, entryId }) => sessions.changesSince(sessionId, entryId),
    'session/branch': async ({ sessionId, entryId, text, restoreFiles }) => {
      const { messages } = (await chats.open(sessionId)).session;
      const before = messages.find(({ id }) => id === entryId);
      // What went along with the message still does: only its words were written anew.
      const attachments = before?.role === 'user' ? attachmentsOf(before) : [];
      const branch = await sessions.branch(sessionId, entryId, restoreFiles);
      branch?.run({ text, attachments });
      return attach(branch ?? (await chats.open(sessionId)));
    },
  };
}
