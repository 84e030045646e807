import { t } from '../base/l10n';
import type { ApprovalMode, WorkMode } from './chatState';

interface WorkModeWords {
  label: string;
  hint: string;
}

/** Returns the user-visible name of a mode, and what the agent does in it. */
export function workModeWords(mode: WorkMode): WorkModeWords {
  switch (mode) {
    case 'ask':
      return { label: t('Ask'), hint: t('Reads and answers; changes and runs nothing') };
    case 'plan':
      return { label: t('Plan'), hint: t('Reads and writes a plan; changes and runs nothing') };
    case 'agent':
      return { label: t('Agent'), hint: t('Edits files and runs commands') };
  }
}

interface ApprovalModeWords {
  full: string;
  /** For narrow panels. */
  short: string;
}

export function approvalModeWords(mode: ApprovalMode): ApprovalModeWords {
  switch (mode) {
    case 'everything':
      return { full: t('Ask every time'), short: t('Ask every time') };
    case 'edits-and-commands':
      return { full: t('Ask before edits and commands'), short: t('Ask before edits') };
    case 'review-after':
      return { full: t('Auto-edit, review later'), short: t('Review later') };
    case 'commands':
      return { full: t('Auto-edit, ask before commands'), short: t('Auto-edit') };
    case 'nothing':
      return { full: t('Full auto'), short: t('Full auto') };
  }
}
