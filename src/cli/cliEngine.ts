import { join } from 'node:path';
import {
  type ApprovalHandler,
  createEngine,
  type Engine,
  type EngineSettings,
  type EngineParts,
  joinedSources,
  lateOnRequestTools,
  type Log,
  PassingSecrets,
  type Ports,
  type SecretValues,
  type ToolSource,
  type UserPrompter,
} from '../engine';
import type { FileConfig } from '../node/config/configSchema';
import { environmentSettings } from '../node/environmentSettings';
import { nodeFetch } from '../node/fetch/nodeFetch';
import { machineFacts } from '../node/machineFacts';
import { LateMcpServers } from '../node/mcp/lateMcpServers';
import { nodePorts } from '../node/nodePorts';
import { LateScriptTools } from '../node/scripts/lateScriptTools';
import type { ScriptPrograms } from '../node/scripts/scriptProgram';
import { type RunVault, withVault } from './vault/runVault';

export interface CliEngineParts {
  env: NodeJS.ProcessEnv;
  config: Pick<FileConfig, 'settings' | 'variables' | 'keys' | 'provided'>;
  vault: RunVault;
  configFolder: string;
  approvals: ApprovalHandler;
  prompter: UserPrompter;
  log: Log;
  /** Script of the worker thread that converts pages to Markdown. */
  pageWorker: string;
  scriptPrograms: ScriptPrograms;
  /** Where agents, roles and skills come from, and whether the folder is trusted. */
  content: Pick<EngineParts, 'assetsFolder' | 'homeFolder' | 'programFiles' | 'contentFolders' | 'scope'>;
}

interface CliEngine {
  engine: Engine;
  mcp: LateMcpServers;
  toolsBeside: ToolSource;
  settings: EngineSettings;
}

/**
 * Creates the engine for the command line, with its MCP servers and the tools that come from outside the engine. Throws
 * EngineError `invalid-input` when a variable is not valid.
 */
export function cliEngine(parts: CliEngineParts): CliEngine {
  const { env, config, vault, configFolder, approvals, prompter, log, pageWorker, content } = parts;
  const known = Object.entries(env).filter(([, value]) => value);
  const settings = environmentSettings(
    Object.fromEntries([...Object.entries(config.variables), ...known]),
    config.settings,
  );
  // Agents do not change while the command runs.
  const ports = nodePorts({ env, ripgrepCandidates: [], watches: false, pageWorker, log });
  const fetch = nodeFetch(env);
  const passing = new PassingSecrets();
  const secrets: SecretValues = {
    async get(name) {
      const kept = (await vault.open()).secrets.get(name);
      if (kept !== undefined) return kept;
      const value = await config.provided?.get(name);
      // The engine has not seen this value before.
      if (value !== undefined) passing.hide(value);
      return value;
    },
    forget: (name) => config.provided?.forget?.(name),
  };
  const make = async () => {
    const { cliMcpServers } = await import('./mcp/cliMcpServers');
    const programFiles = (await content.programFiles?.()) ?? [];
    const shared = { configFolder, env, fetch, vault, secrets, ports, log };
    return cliMcpServers({ ...shared, programFiles, hide: passing.hide });
  };
  const mcp = new LateMcpServers(configFolder, ports, make);
  const others = otherTools(mcp, parts, { ports, secrets, hide: passing.hide });
  const engine = createEngine({
    ports: {
      ...ports,
      secrets: passing.within(withVault(ports.secrets, config.keys, vault)),
      // Loading the built-in fetch costs a one-second program more than everything else combined.
      fetch,
    },
    settings: () => settings,
    approvals,
    prompter,
    sessionsFolder: join(configFolder, 'sessions'),
    configFolder,
    ...content,
    platform: process.platform,
    machine: machineFacts(env),
    environment: env,
    toolSource: others,
  });
  return { engine, mcp, toolsBeside: others, settings };
}

/** Tools that are not built into the engine. */
function otherTools(
  mcp: LateMcpServers,
  { configFolder, env, scriptPrograms }: CliEngineParts,
  { ports, secrets, hide }: { ports: Ports; secrets: SecretValues; hide: (value: string) => void },
): ToolSource {
  const scripts = new LateScriptTools(configFolder, ports, async () => {
    const { nodeScriptTools } = await import('../node/scripts/nodeScriptTools');
    return nodeScriptTools({ configFolder, ports, env, secrets, programs: scriptPrograms, hide });
  });
  const onRequest = lateOnRequestTools(async () => {
    const { nodeOnRequestTools } = await import('../node/onRequest/nodeOnRequestTools');
    return nodeOnRequestTools({ ...ports, env, secrets, sqliteRunner: scriptPrograms.sqliteRunner });
  });
  return joinedSources([mcp, scripts, onRequest]);
}
