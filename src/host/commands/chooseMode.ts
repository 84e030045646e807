import { t } from '../../base/l10n';
import type { WorkMode } from '../../engine';
import { workModeWords } from '../../protocol/modeWords';
import type { Command, Host } from '../host';
import { pickRow } from '../shown/pickList';

const MODES: readonly { mode: WorkMode; icon: string }[] = [
  { mode: 'ask', icon: 'comment-discussion' },
  { mode: 'plan', icon: 'checklist' },
  { mode: 'agent', icon: 'tools' },
];

/** What the agent of the session shown may do at all. */
export function chooseMode({ currentChat, setup, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const current = chat.state.setup.mode;
      const rows = MODES.map(({ mode, icon }) => {
        const { label, hint } = workModeWords(mode);
        return { mode, icon, label, detail: hint, ...(mode === current && { description: t('current') }) };
      });
      const picked = await pickRow(rows, { title: t('Choose a Mode') });
      panels.backToPanel();
      if (picked) await setup.chooseMode(chat, picked.mode);
    },
  };
}
