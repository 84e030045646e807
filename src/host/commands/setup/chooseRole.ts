import * as vscode from 'vscode';
import type { Role } from '../../../engine';
import type { Host } from '../../host';
import { RolePreview } from '../../setup/rolePreview';
import { PickList } from '../../shown/pickList';
import type { Command } from '../command';
import { brokenFiles, openProblem, type ProblemItem } from './brokenFiles';
import { bySource, type SourceItem } from './bySource';

const PROMPT_LENGTH = 120;
const PREVIEW = { iconPath: new vscode.ThemeIcon('open-preview'), tooltip: 'Show its prompt' };

export function chooseRole({ engine, setup, currentChat, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const current = chat.state.setup.role;
      const rows = bySource(await engine.roles.list(), await engine.roles.all(), (role) => ({
        ...(role.name === current && { description: 'current' }),
        detail: [role.description, beginning(role.prompt)].filter((text) => text !== '').join(' — '),
        buttons: [PREVIEW],
      }));
      const none: SourceItem<Role> = {
        label: 'No role',
        detail: 'The agent behaves as it is written',
        ...(current === null && { description: 'current' }),
      };
      const picked = await pick([none, ...rows, ...brokenFiles(await engine.roles.problems())]);
      if (picked && 'problem' in picked) return openProblem(picked.problem);
      panels.backToPanel();
      if (picked) await setup.chooseRole(chat, picked.content?.name ?? null);
    },
  };
}

type Row = SourceItem<Role> | ProblemItem;

/** A list that stays open while a prompt is shown beside it. */
function pick(items: readonly Row[]): Promise<Row | undefined> {
  const list = new PickList<Row>({
    title: 'Choose a way to behave',
    placeholder: 'Type to search; the button of a row shows its prompt',
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  list.rows = items;
  list.onButton((row) => {
    if ('content' in row) void RolePreview.show(row.content.name);
  });
  return list.chosen();
}

function beginning(prompt: string): string {
  const words = prompt.replace(/\s+/g, ' ').trim();
  return words.length > PROMPT_LENGTH ? `${words.slice(0, PROMPT_LENGTH)}…` : words;
}
