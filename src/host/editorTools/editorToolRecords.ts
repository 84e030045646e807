/** A Cairn tool that can be offered to the editor's own chat and to other extensions. */
export interface EditorToolRecord {
  /** The name that agents use. */
  name: string;
  /** Whether the tool only reads, so that `reading` in the setting includes it. */
  reads: boolean;
}

/** The value of the setting that includes all tools that only read. */
export const READING = 'reading';

/** Each tool is declared in package.json, because the editor accepts no others; `npm run manifest` writes those declarations. */
export const EDITOR_TOOL_RECORDS: readonly EditorToolRecord[] = [
  ...['fs_read', 'fs_cat', 'fs_ls', 'fs_glob', 'fs_grep'].map((name) => ({ name, reads: true })),
  ...['fs_edit', 'fs_patch', 'fs_write', 'fs_mkdir', 'fs_rm', 'execute_command', 'fetch_url'].map((name) => ({
    name,
    reads: false,
  })),
];

/** The tool's name in the editor, which all extensions share. */
export function editorToolName({ name }: EditorToolRecord): string {
  return `cairn_${name}`;
}
