import type { Host } from '../../host';
import type { Command } from '../command';
import { askSessionTitle } from './askSessionTitle';

export function renameSession({ currentChat, sessions, panels }: Host): Command {
  return {
    async run() {
      const { session } = await currentChat();
      const title = await askSessionTitle(session.metadata.title);
      panels.backToPanel();
      if (title !== undefined) await sessions.rename(session.id, title);
    },
  };
}
