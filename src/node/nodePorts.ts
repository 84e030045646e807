import type { Log, Ports } from '../engine';
import { environmentSecrets } from './environmentSecrets';
import { nodeClock } from './nodeClock';
import { nodeFileSearch } from './nodeFileSearch';
import { nodeFileSystem } from './nodeFileSystem';
import { nodePaths } from './nodePaths';
import { nodeProcessRunner } from './processes/nodeProcessRunner';
import { nodeWeb } from './web/nodeWeb';

export interface NodePortsOptions {
  env: NodeJS.ProcessEnv;
  /** Absolute paths where a ripgrep may lie, such as the editor's own; the PATH comes after them. */
  ripgrepCandidates: readonly string[];
  /** Whether changes of folders are told, which takes some time to set up. Default: true. */
  watches?: boolean;
  log: Log;
}

/** The engine's ports on this machine. A host that knows better replaces single ones. */
export function nodePorts({ env, ripgrepCandidates, watches = true, log }: NodePortsOptions): Ports {
  return {
    files: nodeFileSystem(watches),
    paths: nodePaths(),
    search: nodeFileSearch({ ripgrepCandidates, env }),
    processes: nodeProcessRunner(env),
    web: nodeWeb(),
    clock: nodeClock(),
    secrets: environmentSecrets(env),
    log,
  };
}
