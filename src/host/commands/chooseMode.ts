import type { WorkMode } from '../../engine';
import type { Command, Host } from '../host';
import { pickRow } from '../shown/pickList';

const MODES: readonly { mode: WorkMode; icon: string; label: string; detail: string }[] = [
  { mode: 'ask', icon: 'comment-discussion', label: 'Ask', detail: 'Reads and answers; changes and runs nothing' },
  { mode: 'plan', icon: 'checklist', label: 'Plan', detail: 'Reads and writes a plan; changes and runs nothing' },
  { mode: 'agent', icon: 'tools', label: 'Agent', detail: 'Edits files and runs commands, with your approval' },
];

/** What the agent of the session shown may do at all. */
export function chooseMode({ currentChat, setup, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const current = chat.state.setup.mode;
      const rows = MODES.map((row) => ({ ...row, ...(row.mode === current && { description: 'current' }) }));
      const picked = await pickRow(rows, { title: 'Choose a Mode' });
      panels.backToPanel();
      if (picked) await setup.chooseMode(chat, picked.mode);
    },
  };
}
