import type { Host } from '../host';
import type { Command } from './command';

export function newSession({ view, chats }: Host): Command {
  return {
    name: 'newSession',
    async run() {
      const chat = await chats.openNew();
      await view.focus();
      view.controller?.show(chat.session.id);
    },
  };
}
