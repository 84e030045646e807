import type { ApprovalMode, WorkMode } from './chatState';

/** What the modes are called wherever a person meets them, and what the agent does in them. */
export const WORK_MODE_WORDS: Readonly<Record<WorkMode, { label: string; hint: string }>> = {
  ask: { label: 'Ask', hint: 'Reads and answers; changes and runs nothing' },
  plan: { label: 'Plan', hint: 'Reads and writes a plan; changes and runs nothing' },
  agent: { label: 'Agent', hint: 'Edits files and runs commands' },
};

/** `short` is for narrow panels. */
export const APPROVAL_MODE_WORDS: Readonly<Record<ApprovalMode, { full: string; short: string }>> = {
  everything: { full: 'Ask every time', short: 'Ask always' },
  'edits-and-commands': { full: 'Ask before edits and commands', short: 'Ask first' },
  'review-after': { full: 'Auto-edit, review later', short: 'Review later' },
  commands: { full: 'Auto-edit, ask before commands', short: 'Auto-edit' },
  nothing: { full: 'Full auto', short: 'Full auto' },
};
