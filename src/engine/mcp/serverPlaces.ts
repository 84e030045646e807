/** Cairn's own server file in a workspace. */
export const OUR_SERVER_FILE = ['.cairn', 'mcp.json'] as const;

/** The server files of a workspace. Of two servers with the same ID, the one in the later file wins. */
export const WORKSPACE_FILES = [
  { path: ['opencode.json'], key: 'mcp' },
  { path: ['opencode.jsonc'], key: 'mcp' },
  { path: ['.opencode', 'opencode.json'], key: 'mcp' },
  { path: ['.opencode', 'opencode.jsonc'], key: 'mcp' },
  { path: ['.vscode', 'mcp.json'], key: 'servers' },
  { path: ['.mcp.json'], key: 'mcpServers' },
  { path: OUR_SERVER_FILE, key: 'mcpServers' },
] as const;

/** A server file of another program. */
export interface ProgramFile {
  /** Absolute. */
  readonly path: string;
  /** Absolute path of the folder in which its servers are started. Absent: the workspace. */
  readonly folder?: string;
  /** The key of its servers. Absent: `mcpServers`. */
  readonly key?: 'mcp';
  /** It also has servers by workspace, under `projects`. */
  readonly hasProjects?: boolean;
}

/** In Cairn's own folder: which servers from other people's files the user allowed. */
export const CONSENTS_FILE = 'mcp-consents.json';

/** The workspace's files as relative paths with slashes. */
export const SERVER_FILES: readonly string[] = WORKSPACE_FILES.map(({ path }) => path.join('/'));

/** The user's own file, in Cairn's own folder. */
export const OWN_SERVER_FILE = 'mcp.json';

/** Maximum length of the server's part in its tools' names, which are limited to 64 characters in total. */
const MAX_NAME = 24;

/** Converts a server's `id` in a file to the form used in its tools' names. */
export function serverName(id: string): string {
  const name = id.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, MAX_NAME);
  // Double underscores separate server and tool.
  return name.replaceAll(/_{2,}/g, '_').replaceAll(/^_|_$/g, '') || 'server';
}
