import * as vscode from 'vscode';
import type { Skill } from '../../../engine';
import type { Host } from '../../host';
import type { Command } from '../command';
import { bySource } from './bySource';

export function chooseSkills({ engine, setup, currentChat }: Host): Command {
  return {
    name: 'chooseSkills',
    async run() {
      const chat = await currentChat();
      const { skills: loaded } = chat.session.metadata;
      const { names } = await engine.skillsFor(chat.session.id);
      const all = await engine.skills.list();
      const offered = all.filter(({ name }) => names.includes(name) || loaded.includes(name));
      if (offered.length === 0) {
        sayWhy(all.length > 0, chat.state.setup.agent);
        return;
      }
      const items = bySource(offered, (skill) => ({
        ...noteOf(skill, names.includes(skill.name)),
        picked: loaded.includes(skill.name),
      }));
      const picked = await vscode.window.showQuickPick(items, {
        title: 'Skills of this session',
        placeHolder: 'Checked skills are loaded, from the next request on',
        canPickMany: true,
        matchOnDescription: true,
        matchOnDetail: true,
      });
      if (!picked) return;
      await setup.setSkills(
        chat,
        picked.flatMap(({ content }) => content?.name ?? []),
      );
    },
  };
}

function noteOf({ servers }: Skill, isEnabled: boolean): { description?: string } {
  if (!isEnabled) return { description: 'loaded, but not enabled here' };
  return servers.length > 0 ? { description: `needs the MCP servers ${servers.join(', ')}, which are not there` } : {};
}

function sayWhy(exist: boolean, agent: string): void {
  const text = exist
    ? `No skill is enabled here: the agent ${agent}, the role or your settings turn them off.`
    : 'There are no skills yet. Write one as .cairn/skills/NAME/SKILL.md.';
  void vscode.window.showInformationMessage(text);
}
