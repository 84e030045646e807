import * as vscode from 'vscode';
import type { Skill } from '../../../engine';
import type { Host } from '../../host';
import { notify } from '../../shown/notify';
import { type PickRow, pickRows } from '../../shown/pickRow';
import type { Command } from '../command';
import { bySource, type SourceItem } from './bySource';

/** A row that says something of all skills. */
interface Rule extends PickRow {
  rule?: 'no-others' | 'none';
}

const RULES: Rule = { label: 'In this session', kind: vscode.QuickPickItemKind.Separator };
const NO_OTHERS: Rule = {
  icon: 'lock',
  label: 'No others',
  rule: 'no-others',
  detail: 'The agent may load the checked skills and no others',
};
const NONE: Rule = {
  icon: 'circle-slash',
  label: 'No skills',
  rule: 'none',
  detail: 'None is loaded, whatever is checked',
};

export function chooseSkills({ engine, setup, currentChat, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const { skills: loaded, skillPolicy: policy } = chat.session.metadata;
      const { names } = await engine.skillsFor(chat.session.id, {});
      const all = await engine.skills.list();
      const offered = all.filter(({ name }) => names.includes(name) || loaded.includes(name));
      if (offered.length === 0) {
        sayWhy(all.length > 0, chat.state.setup.agent);
        return;
      }
      const rows = bySource(offered, await engine.skills.all(), (skill) => ({
        ...noteOf(skill, names.includes(skill.name)),
        picked: loaded.includes(skill.name),
      }));
      const noOthers: Rule = { ...NO_OTHERS, picked: policy.names !== undefined };
      const none: Rule = { ...NONE, picked: policy.on === false };
      const items: (SourceItem<Skill> & Rule)[] = [...rows, RULES, noOthers, none];
      const picked = await pickRows(items, {
        title: 'Skills of this session',
        placeHolder: 'Checked skills are loaded, from the next request on',
        matchOnDescription: true,
        matchOnDetail: true,
      });
      panels.backToPanel();
      if (!picked) return;
      const isNone = picked.some(({ rule }) => rule === 'none');
      const chosen = isNone ? [] : picked.flatMap(({ content }) => content?.name ?? []);
      await setup.setSkills(chat, chosen, {
        ...(isNone && { on: false }),
        ...(picked.some(({ rule }) => rule === 'no-others') && { names: chosen }),
      });
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
  void notify('info', text);
}
