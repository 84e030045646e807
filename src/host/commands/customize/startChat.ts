import type { Host } from '../../host';
import type { Command } from '../command';

/** Opens a new session that an agent answers in. */
export function startChat({ engine, chats, panels }: Host): Command {
  return {
    name: 'startChat',
    async run(argument) {
      const { pickContent } = await import('../../customize/customizeParts');
      const agents = new Map((await engine.agents.list()).map((agent) => [agent.name, agent]));
      const picked = await pickContent(engine, argument, {
        ...{ title: 'Start a chat with an agent', kinds: ['agents'] },
        fits: ({ item }) => agents.get(item.name)?.hidden === false && agents.get(item.name)?.mode !== 'subagent',
      });
      if (!picked) return;
      const chat = await chats.openNew();
      await chat.session.configure({ agent: picked.item.name });
      await panels.show(chat.session.id);
    },
  };
}
