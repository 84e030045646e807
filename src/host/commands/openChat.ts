import type { Host } from '../host';
import type { Command } from './command';

/** Shows the chat; with the id of a session, that session. */
export function openChat({ panels }: Host): Command {
  return {
    run: (sessionId) => (typeof sessionId === 'string' ? panels.show(sessionId) : panels.view.focus()),
  };
}
