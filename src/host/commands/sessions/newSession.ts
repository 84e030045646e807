import type { Host } from '../../host';
import type { Command } from '../command';

export function newSession({ chats, panels }: Host): Command {
  return {
    async run() {
      const chat = await chats.openNew();
      await panels.show(chat.session.id);
    },
  };
}
