import { type AgentSession, textOf, titleFrom } from '../../../engine';
import type { Host } from '../../host';
import { pickRow } from '../../shown/pickRow';
import type { Command } from '../command';
import { restoreTo } from './restoreTo';

/** Puts the files back as they were before a message of the person's choice. */
export function restoreCheckpoint(host: Host): Command {
  return {
    async run() {
      const { session } = await host.currentChat();
      if (host.engine.runOf(session.id)) throw new Error('A run is under way in this session. Stop it first.');
      const messageId = await pickMessage(session);
      host.panels.backToPanel();
      if (messageId !== undefined) await restoreTo(host, session, messageId);
    },
  };
}

async function pickMessage(session: AgentSession): Promise<string | undefined> {
  const items = session.messages
    .flatMap((message) => (message.role === 'user' && !message.steering ? [message] : []))
    .map((message) => ({
      label: titleFrom(textOf(message)),
      description: new Date(message.time).toLocaleTimeString(),
      id: message.id,
    }));
  if (items.length === 0) throw new Error('This session has no message yet to go back to.');
  const picked = await pickRow(items.reverse(), {
    title: 'Go back to before which message?',
    placeHolder: 'The newest is first',
  });
  return picked?.id;
}
