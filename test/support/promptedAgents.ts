/** The built-in agents that have a prompt of their own; the others are graphs. */
export const PROMPTED_AGENTS = [
  'coder',
  'sisyphus',
  'explore',
  'oracle',
  'code-reviewer',
  'file-reviewer',
  'report-writer',
  'sql',
  'demo',
];
