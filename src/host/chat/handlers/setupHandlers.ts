import type { Handlers } from '../../../protocol/hostApi';
import type { ChatApiParts } from './chatApiParts';

export function setupHandlers({
  chats,
  setup,
}: Pick<ChatApiParts, 'chats' | 'setup'>): Handlers<'setup/choose' | 'setup/unload-skill'> {
  return {
    'setup/choose': async ({ sessionId, kind, name }) => {
      const chat = await chats.open(sessionId);
      await (kind === 'agent' ? setup.chooseAgent(chat, name) : setup.chooseRole(chat, name));
      return null;
    },
    'setup/unload-skill': async ({ sessionId, name }) => {
      const chat = await chats.open(sessionId);
      await setup.setSkills(
        chat,
        chat.session.metadata.skills.filter((one) => one !== name),
      );
      return null;
    },
  };
}
