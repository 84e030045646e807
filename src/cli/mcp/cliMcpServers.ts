import { homedir } from 'node:os';
import { type Fetch, type Log, McpServers, type ProgramFile, type SecretValues } from '../../engine';
import { nodePorts } from '../../node/nodePorts';
import type { RunVault } from '../vault/runVault';

interface CliMcpParts {
  /** Absolute path of Cairn's folder. */
  configFolder: string;
  env: NodeJS.ProcessEnv;
  fetch: Fetch;
  programFiles: readonly ProgramFile[];
  vault: RunVault;
  /** Resolves `{{NAME}}`; defaults to the vault. */
  secrets?: SecretValues;
  /** Called with each value that must never be shown. */
  hide: (value: string) => void;
  log: Log;
  /** Those of the engine, if there is one. */
  ports?: ReturnType<typeof nodePorts>;
}

/** Creates the MCP servers of the user and of the folder for the command line. */
export function cliMcpServers(parts: CliMcpParts): McpServers {
  const { configFolder, env, fetch, programFiles, vault, secrets, hide, log, ports } = parts;
  return new McpServers({
    configFolder,
    programFiles,
    ports: { ...(ports ?? nodePorts({ env, watches: false })), log },
    connector: async () => {
      const [{ nodeMcpConnector }, { vaultSignIns }] = await Promise.all([
        import('../../node/mcp/nodeMcpConnector'),
        import('./vaultSignIns'),
      ]);
      return nodeMcpConnector({ env, fetch, signIns: vaultSignIns({ configFolder, vault, hide }) });
    },
    values: {
      secrets: secrets ?? { get: async (name) => (await vault.open()).secrets.get(name) },
      environment: env,
      homeFolder: homedir(),
    },
    howToAllow: ([id, ...others]) =>
      others.length === 0 ? `cairn mcp allow ${id} allows it to start.` : 'cairn mcp allow NAME allows one to start.',
    howToStart: (id) => `cairn mcp check ${id} starts it and reports what is wrong.`,
    howToSignIn: (id) => `cairn mcp login ${id} signs you in.`,
  });
}
