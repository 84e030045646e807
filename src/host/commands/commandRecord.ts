import type { CommandName } from '../../protocol/commands';

/** Everything that the manifest and the panel know of a command; its code is in `commandCode.ts`. Its id is `cairn.NAME`, its title `command.NAME` of package.nls.json. */
export interface CommandRecord {
  name: CommandName;
  /** A codicon, or files of the extension. */
  icon?: string | { light: string; dark: string };
  /** While this is false, menus show the command greyed out and keys do nothing; a when clause of the editor. */
  enablement?: string;
  /** When the palette offers it: never, where it needs an argument that the palette cannot give, or while a when clause is true. */
  inPalette?: false | { when: string };
  menus?: readonly { menu: string; when?: string; group: string }[];
  /** On a Mac with Cmd for Ctrl. */
  keys?: readonly { key: string; args?: string; when?: string }[];
  /** What is typed after `/` in the composer for it. */
  slash?: { name: string; description: string; group: 'session' | 'agent' | 'settings'; takes?: 'agent' | 'role' };
  /** True where the panel may run it although nothing after `/` does. */
  inPanel?: true;
}
