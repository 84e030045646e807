import type { ArchivedSession, PermissionRule } from '../../engine';

/** What can be imported, in report order. */
export const ITEM_KINDS = [
  'settings',
  'agent',
  'role',
  'skill',
  'macro',
  'command',
  'tool',
  'server',
  'rule',
  'secret',
  'session',
] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** One thing that another tool stores. */
export interface ImportItem {
  kind: ItemKind;
  /** Its name in the other tool. */
  name: string;
  /** Absolute path of the original, with the line number where useful. */
  from: string;
  content: ItemContent;
  /** Additional remarks: what differs from the original, what has no effect in Cairn. */
  notes: readonly string[];
}

export type ItemContent =
  /** A single file or a folder of files, for a folder inside Cairn's. */
  | { type: 'files'; folder: ContentFolder; single: boolean; files: readonly ImportedFile[]; secrets: Secrets }
  /** A server for `mcp.json`. */
  | { type: 'server'; server: Readonly<Record<string, unknown>>; secrets: Secrets }
  /** The text of `config.yaml`; with `aside`, of a file next to it that has no effect. */
  | { type: 'settings'; text: string; secrets: Secrets; aside: boolean }
  /** Rules that ask or deny, for the user's `permissions.json`. */
  | { type: 'rules'; rules: readonly PermissionRule[] }
  | { type: 'secret'; value: string }
  /** Read only when written, because sessions are many and long. */
  | { type: 'session'; digest: () => Promise<string>; read: () => Promise<ReadSession> }
  /** Nothing is copied; the reason is reported. */
  | { type: 'left'; why: string };

export interface ReadSession {
  session: ArchivedSession;
  /** Unreadable parts, with line numbers. */
  problems: readonly string[];
}

/** Secret values by the name used for them in the written files, as `{{NAME}}`. */
export type Secrets = ReadonlyMap<string, string>;

/** `.`: Cairn's folder itself. */
export type ContentFolder =
  '.' | 'agents' | 'roles' | 'skills' | 'macros' | 'commands' | 'functions' | 'functions/tools';

export interface ImportedFile {
  /** Path inside the item's folder, with slashes. For a single file, its extension, such as `.md`. */
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

/** What was found in another tool's folder. */
export interface Found {
  items: ImportItem[];
  /** Unreadable parts, each with the path and, if known, the line. */
  problems: string[];
}
