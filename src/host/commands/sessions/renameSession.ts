import type { Host } from '../../host';
import type { Command } from '../command';
import { askSessionTitle } from './askSessionTitle';

export function renameSession({ currentChat, sessions }: Host): Command {
  return {
    name: 'renameSession',
    async run() {
      const { session } = await currentChat();
      const title = await askSessionTitle(session.metadata.title);
      if (title !== undefined) await sessions.rename(session.id, title);
    },
  };
}
