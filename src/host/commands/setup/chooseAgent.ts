import * as vscode from 'vscode';
import { DEFAULT_AGENT } from '../../../engine';
import type { Host } from '../../host';
import type { Command } from '../command';
import { bySource } from './bySource';

export function chooseAgent({ engine, setup, currentChat }: Host): Command {
  return {
    name: 'chooseAgent',
    async run() {
      const chat = await currentChat();
      const current = chat.state.setup;
      const offered = (await engine.agents.list()).filter(({ hidden, mode }) => !hidden && mode !== 'subagent');
      const items = bySource(offered, ({ name }) => {
        if (name === current.agent) return { description: 'current' };
        return name === DEFAULT_AGENT ? { description: 'default' } : {};
      });
      const picked = await vscode.window.showQuickPick(items, {
        title: 'Choose who answers in this session',
        placeHolder: 'Agents that lead; others are started by them',
        matchOnDescription: true,
        matchOnDetail: true,
      });
      if (picked?.content) await setup.chooseAgent(chat, picked.content.name);
    },
  };
}
