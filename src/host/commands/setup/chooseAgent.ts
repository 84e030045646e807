import { DEFAULT_AGENT } from '../../../engine';
import type { Host } from '../../host';
import { pickRow } from '../../shown/pickRow';
import type { Command } from '../command';
import { brokenFiles, openProblem } from './brokenFiles';
import { bySource } from './bySource';

export function chooseAgent({ engine, setup, currentChat, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const current = chat.state.setup;
      const offered = (await engine.agents.list()).filter(({ hidden, mode }) => !hidden && mode !== 'subagent');
      const items = bySource(offered, await engine.agents.all(), ({ name }) => {
        if (name === current.agent) return { description: 'current' };
        return name === DEFAULT_AGENT ? { description: 'default' } : {};
      });
      const broken = brokenFiles(await engine.agents.problems());
      const picked = await pickRow([...items, ...broken], {
        title: 'Choose who answers in this session',
        placeHolder: 'Type to search; your next message goes to the one you choose',
        matchOnDescription: true,
        matchOnDetail: true,
      });
      if (picked && 'problem' in picked) return openProblem(picked.problem);
      panels.backToPanel();
      if (picked?.content) await setup.chooseAgent(chat, picked.content.name);
    },
  };
}
