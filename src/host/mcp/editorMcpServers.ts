import { McpServers, type Ports, storedName } from '../../engine';
import type { VscodeSecretStore } from '../secrets/vscodeSecretStore';

export interface EditorMcpParts {
  /** Absolute; Cairn's own. */
  configFolder: string;
  env: NodeJS.ProcessEnv;
  homeFolder: string;
  /** Through which only what was saved counts. */
  ports: Ports;
  secrets: VscodeSecretStore;
}

/** As the editor starts them: with its secrets in the place of their names. */
export function editorMcpServers({ configFolder, env, homeFolder, ports, secrets }: EditorMcpParts): McpServers {
  return new McpServers({
    configFolder,
    ports,
    connector: async () => {
      const { nodeMcpConnector } = await import('../../node/mcp/nodeMcpConnector');
      return nodeMcpConnector({ env, fetch: ports.fetch ?? fetch });
    },
    values: {
      secrets: { get: async (name) => (await secrets.kept(storedName(name))) ?? undefined },
      environment: env,
      homeFolder,
    },
    howToAllow: () => 'Run the command “Cairn: Manage MCP Servers…” to look at what it starts.',
  });
}
