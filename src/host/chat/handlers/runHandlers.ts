import type { Handlers } from '../../../protocol/hostApi';
import type { MessageItem } from '../../../protocol/messageItem';
import type { ChatApiParts } from '../chatApi';
import type { ChatMessage } from '../queue/chatMessage';

type RunMethods =
  'run/stop-call' | 'run/start' | 'run/resume' | 'run/steer' | 'run/cancel' | 'run/withdraw' | 'run/send-now';

export function runHandlers({ chats, context }: Pick<ChatApiParts, 'chats' | 'context'>): Handlers<RunMethods> {
  const read = async (text: string, items: MessageItem[] = []): Promise<ChatMessage> => ({
    ...{ text, items },
    attachments: await context.read(items),
  });
  return {
    'run/start': async ({ sessionId, text, items }) => {
      const chat = await chats.open(sessionId);
      const message = await read(text, items);
      await chat.refuseUnseen(message);
      return { runId: chat.run(message).id };
    },
    'run/resume': async ({ sessionId }) => ({ runId: (await chats.open(sessionId)).run().id }),
    'run/steer': async ({ sessionId, text, items }) => {
      const chat = await chats.open(sessionId);
      const message = await read(text, items);
      await chat.refuseUnseen(message);
      chat.steer(message);
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
    'run/withdraw': async ({ sessionId, messageId }) => (await chats.open(sessionId)).withdraw(messageId) ?? null,
    'run/send-now': async ({ sessionId }) => {
      await (await chats.open(sessionId)).sendNow();
      return null;
    },
  };
}
