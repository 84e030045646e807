import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { type ApprovalMode, usableMode, type WorkMode } from '../../engine';
import { approvalModeWords, workModeWords } from '../../protocol/modeWords';
import type { Command, Host } from '../host';
import { askInDialog, notify } from '../shown/notify';
import { pickRow } from '../shown/pickList';

const WORK_MODES: readonly { mode: WorkMode; icon: string }[] = [
  { mode: 'ask', icon: 'comment-discussion' },
  { mode: 'plan', icon: 'checklist' },
  { mode: 'agent', icon: 'tools' },
];

/** Chooses the mode of the current session. */
export function chooseMode({ currentChat, setup, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const current = chat.state.setup.mode;
      const rows = WORK_MODES.map(({ mode, icon }) => {
        const { label, hint } = workModeWords(mode);
        return { mode, icon, label, detail: hint, ...(mode === current && { description: t('current') }) };
      });
      const picked = await pickRow(rows, { title: t('Choose a Mode') });
      panels.backToPanel();
      if (picked) await setup.chooseMode(chat, picked.mode);
    },
  };
}

const APPROVAL_MODES: readonly { mode: ApprovalMode; detail: string; icon?: string }[] = [
  {
    mode: 'everything',
    get detail() {
      return t('Also before reading and searching files');
    },
  },
  {
    mode: 'edits-and-commands',
    get detail() {
      return t('Reads and searches without asking');
    },
  },
  {
    mode: 'review-after',

    get detail() {
      return t('Edits files at once; you keep or undo the changes afterwards. Asks before commands');
    },
  },
  {
    mode: 'commands',

    get detail() {
      return t('Edits files at once, without a review');
    },
  },
  {
    mode: 'nothing',
    icon: 'warning',

    get detail() {
      return t(
        'Edits and runs commands without asking, except where they name protected files or paths outside the workspace',
      );
    },
  },
];

export function chooseApprovalMode({ currentChat, panels }: Host): Command {
  return {
    async run() {
      const chat = await currentChat();
      const current = chat.state.approvalMode;
      const rows = APPROVAL_MODES.map((row) => ({
        ...row,
        label: approvalModeWords(row.mode).full,
        ...(row.mode === current && { description: t('current') }),
        ...(!isUsable(row.mode) && { icon: 'lock', description: t('unavailable in Restricted Mode') }),
      }));
      const picked = await pickRow(rows, { title: t('Approval Mode') });
      if (picked && !isUsable(picked.mode)) return refuseMode(panels);
      const isWanted = picked && (picked.mode !== 'nothing' || current === 'nothing' || (await confirmFullAuto()));
      panels.backToPanel();
      if (!isWanted) return;
      await chat.session.configure({ approvalMode: picked.mode });
      chat.approvalModeChanged();
    },
  };
}

function isUsable(mode: ApprovalMode): boolean {
  return usableMode(mode, { trusted: vscode.workspace.isTrusted }) === mode;
}

async function refuseMode(panels: Host['panels']): Promise<void> {
  panels.backToPanel();
  const words = t('Full auto is not available in Restricted Mode. Trust this folder first.');
  const choice = await notify('info', words, { title: t('Manage Workspace Trust'), means: 'trust' });
  if (choice) await vscode.commands.executeCommand('workbench.trust.manage');
}

async function confirmFullAuto(): Promise<boolean> {
  const detail = t(
    'The agent edits files and runs commands in this session without asking you. Edits of protected files or outside the workspace, and commands that name such paths, still need your approval. What programs and scripts open by themselves is not checked.',
  );
  const question = t('Turn on Full auto for this session?');
  return (await askInDialog({ question, detail }, { title: t('Turn On Full Auto'), means: 'turn-on' })) !== undefined;
}
