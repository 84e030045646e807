/** OpenCode's ten tools, in the order in which models see them, and Cairn's tool for each. */
export const OPENCODE_NAMES: Readonly<Record<string, string>> = {
  read: 'fs_read',
  write: 'fs_write',
  edit: 'fs_edit',
  glob: 'fs_glob',
  grep: 'fs_grep',
  bash: 'execute_command',
  webfetch: 'fetch_url',
  todoread: 'todo__list',
  todowrite: 'todo__init',
  task: 'task',
};

/** Cairn's tools for which OpenCode has one of the ten, or no equivalent. */
const COVERED = /^(fs_|command__|todo__|agent__)|^(execute_command|fetch_url|task)$/;

/** Whether a tool keeps Cairn's name for agents that know the others by OpenCode's names. */
export function keepsItsName({ name }: { name: string }): boolean {
  return !COVERED.test(name);
}
