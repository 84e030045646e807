import type { Handlers } from '../../../protocol/hostApi';
import type { ChatApiParts } from '../chatApi';

export function runHandlers({
  chats,
}: Pick<ChatApiParts, 'chats'>): Handlers<'run/start' | 'run/resume' | 'run/steer' | 'run/cancel' | 'run/stop-call'> {
  return {
    'run/start': async ({ sessionId, text }) => ({ runId: (await chats.open(sessionId)).run(text).id }),
    'run/resume': async ({ sessionId }) => ({ runId: (await chats.open(sessionId)).run().id }),
    'run/steer': async ({ sessionId, text }) => {
      (await chats.open(sessionId)).steer(text);
      return null;
    },
    'run/cancel': async ({ sessionId }) => {
      (await chats.open(sessionId)).cancel();
      return null;
    },
    'run/stop-call': async ({ sessionId, entryId }) => {
      (await chats.open(sessionId)).stopCall(entryId);
      return null;
    },
  };
}
