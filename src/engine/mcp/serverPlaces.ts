/** Of a workspace, the file that is Cairn's own. */
export const OUR_SERVER_FILE = ['.cairn', 'mcp.json'] as const;

/** Files of a workspace in which servers stand; of two servers with one id that of the later file counts. */
export const WORKSPACE_FILES = [
  { path: ['opencode.json'], key: 'mcp' },
  { path: ['.vscode', 'mcp.json'], key: 'servers' },
  { path: ['.mcp.json'], key: 'mcpServers' },
  { path: OUR_SERVER_FILE, key: 'mcpServers' },
] as const;

/** A file of another program in which the person has servers. */
export interface ProgramFile {
  /** Absolute. */
  readonly path: string;
  /** Absolute folder in which its servers are started; the workspace where it says none. */
  readonly folder?: string;
  /** It also has servers by workspace, under `projects`. */
  readonly hasProjects?: boolean;
}

/** In Cairn's own folder: which servers of others the person allowed. */
export const CONSENTS_FILE = 'mcp-consents.json';

/** The files of a workspace, with slashes. */
export const SERVER_FILES: readonly string[] = WORKSPACE_FILES.map(({ path }) => path.join('/'));

/** The person's own file, in Cairn's own folder. */
export const OWN_SERVER_FILE = 'mcp.json';
