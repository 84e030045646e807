import { homedir } from 'node:os';
import { type Fetch, type Log, McpServers } from '../../engine';
import { nodePorts } from '../../node/nodePorts';

export interface CliMcpParts {
  /** Absolute; Cairn's own. */
  configFolder: string;
  env: NodeJS.ProcessEnv;
  fetch: Fetch;
  /** What the vault keeps, by name. */
  vault: ReadonlyMap<string, string>;
  log: Log;
}

/** The MCP servers of the person and of the folder, as the command line starts them. */
export function cliMcpServers({ configFolder, env, fetch, vault, log }: CliMcpParts): McpServers {
  return new McpServers({
    configFolder,
    ports: { ...nodePorts({ env, watches: false }), log },
    connector: async () => {
      const { nodeMcpConnector } = await import('../../node/mcp/nodeMcpConnector');
      return nodeMcpConnector({ env, fetch });
    },
    values: {
      secrets: { get: (name) => Promise.resolve(vault.get(name)) },
      environment: env,
      homeFolder: homedir(),
    },
    howToAllow: (id) => `cairn mcp allow ${id} allows what it starts.`,
  });
}
