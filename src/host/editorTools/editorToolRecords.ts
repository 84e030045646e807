/** A tool of ours that the editor's own chat, and other extensions, may be given. */
export interface EditorToolRecord {
  /** As agents know it. */
  name: string;
  /** It only reads, so that `reading` in the setting stands for it, too. */
  reads: boolean;
}

/** What the setting says for all that only read. */
export const READING = 'reading';

/** package.json declares each of them, since the editor takes no other; `npm run manifest` writes that. */
export const EDITOR_TOOL_RECORDS: readonly EditorToolRecord[] = [
  ...['fs_read', 'fs_cat', 'fs_ls', 'fs_glob', 'fs_grep'].map((name) => ({ name, reads: true })),
  ...['fs_edit', 'fs_patch', 'fs_write', 'fs_mkdir', 'fs_rm', 'execute_command', 'fetch_url'].map((name) => ({
    name,
    reads: false,
  })),
];

/** As the editor knows the tool: its names are shared by all extensions. */
export function editorToolName({ name }: EditorToolRecord): string {
  return `cairn_${name}`;
}
