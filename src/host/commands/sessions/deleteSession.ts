import type { Host } from '../../host';
import type { Command } from '../command';

/** The session shown, after the person has confirmed it. */
export function deleteSession({ currentChat, sessions, panels }: Host): Command {
  return {
    async run() {
      await sessions.remove((await currentChat()).session.id);
      panels.backToPanel();
    },
  };
}
