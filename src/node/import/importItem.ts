import type { ArchivedSession, PermissionRule } from '../../engine';

/** What can be brought over, in the order in which it is told. */
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

/** One thing that another tool keeps. */
export interface ImportItem {
  kind: ItemKind;
  /** As it is called there. */
  name: string;
  /** Absolute path there, with the line where that helps. */
  from: string;
  content: ItemContent;
  /** What is told of it besides: what is different from the original, what has no effect here. */
  notes: readonly string[];
}

export type ItemContent =
  /** A file of its own, or a folder of them, in a folder of Cairn's own. */
  | { type: 'files'; folder: ContentFolder; single: boolean; files: readonly ImportedFile[]; secrets: Secrets }
  /** A server for `mcp.json`. */
  | { type: 'server'; server: Readonly<Record<string, unknown>>; secrets: Secrets }
  /** The text of `config.yaml`; `aside`: of a file beside it, which has no effect. */
  | { type: 'settings'; text: string; secrets: Secrets; aside: boolean }
  /** For the person's `permissions.json`; they ask or deny. */
  | { type: 'rules'; rules: readonly PermissionRule[] }
  | { type: 'secret'; value: string }
  /** Read when it is written, because there are many of them and they are long. */
  | { type: 'session'; digest: () => Promise<string>; read: () => Promise<ReadSession> }
  /** Nothing of it is copied; the reason is told. */
  | { type: 'left'; why: string };

export interface ReadSession {
  session: ArchivedSession;
  /** What could not be read of it, with lines. */
  problems: readonly string[];
}

/** Value by the name that stands for it, as `{{NAME}}`, in what is written. */
export type Secrets = ReadonlyMap<string, string>;

export const CONTENT_FOLDERS = [
  'agents',
  'roles',
  'skills',
  'macros',
  'commands',
  'functions',
  'functions/tools',
] as const;
export type ContentFolder = (typeof CONTENT_FOLDERS)[number];

export interface ImportedFile {
  /** Below its folder, with slashes; of a single file its ending, such as `.md`. */
  path: string;
  bytes: Uint8Array;
  executable: boolean;
}

/** What was found in a tool's folder. */
export interface Found {
  items: ImportItem[];
  /** What could not be read, each with path and, where it is known, line. */
  problems: string[];
}
