import type { CommandName } from '../../protocol/commands';

/**
 * Everything that the manifest and the panel know about a command; its code is in `commandCode.ts`. Its id is `cairn.NAME`, its
 * title is `command.NAME` in package.nls.json.
 */
export interface CommandRecord {
  name: CommandName;
  /** A codicon, or icon files of the extension. */
  icon?: string | { light: string; dark: string };
  /** A when clause. While it is false, menus gray out the command and its keys do nothing. */
  enablement?: string;
  /** `false` hides the command from the palette because it needs an argument; a when clause limits when it is shown. */
  inPalette?: false | { when: string };
  menus?: readonly { menu: string; when?: string; group: string }[];
  /** On macOS, Cmd replaces Ctrl. */
  keys?: readonly { key: string; args?: string; when?: string }[];
  /** The entry for the composer's `/` menu. */
  slash?: { name: string; description: string; group: 'session' | 'agent' | 'settings'; takes?: 'agent' | 'role' };
  /** Whether the panel may run the command although it has no `/` entry. */
  inPanel?: true;
}
