import type { ApprovalMode } from '../../engine';
import type { Command, Host } from '../host';
import { pickRow } from '../shown/pickList';

const MODES: readonly { mode: ApprovalMode; label: string; detail: string }[] = [
  { mode: 'everything', label: 'Ask for everything', detail: 'Also before files are read and searched' },
  {
    mode: 'edits-and-commands',
    label: 'Ask for edits and commands',
    detail: 'Reading and searching go on by themselves',
  },
  {
    mode: 'review-after',
    label: 'Review after',
    detail: 'Edits are written at once; you keep or undo them in the editor afterwards',
  },
  { mode: 'commands', label: 'Ask for commands', detail: 'Edits are written without asking' },
  { mode: 'nothing', label: 'Ask for nothing', detail: 'Except for protected files and paths outside the workspace' },
];

export function chooseApprovalMode({ currentChat, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const current = chat.state.approvalMode;
      const items = MODES.map(({ mode, label, detail }) => ({
        label,
        detail,
        mode,
        ...(mode === current && { description: 'current' }),
      }));
      const picked = await pickRow(items, { title: 'Approval Mode' });
      panels.backToPanel();
      if (!picked) return;
      await chat.session.configure({ approvalMode: picked.mode });
      chat.publish([{ type: 'approval-mode-changed', approvalMode: picked.mode }]);
    },
  };
}
