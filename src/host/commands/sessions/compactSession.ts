import type { Host } from '../../host';
import type { Command } from '../command';

/** Has the model sum up the conversation so far, to make room in its window. */
export function compactSession({ currentChat, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      if (chat.state.model.scripted) throw new Error('The tour cannot sum up a conversation. Choose a model first.');
      if (chat.state.entries.length === 0) throw new Error('This session is empty, so there is nothing to sum up.');
      chat.compact();
      await panels.show(chat.session.id);
    },
  };
}
