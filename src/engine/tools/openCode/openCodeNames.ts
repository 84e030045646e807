/** The ten tools of OpenCode, in the order in which they are told of, and ours that each is. */
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

/** What that world does with one of the ten, or not at all. */
const COVERED = /^(fs_|command__|todo__|agent__)|^(execute_command|fetch_url|task)$/;

/** Which of our tools stay as they are where agents know the others by the names of OpenCode. */
export function keepsItsName({ name }: { name: string }): boolean {
  return !COVERED.test(name);
}
