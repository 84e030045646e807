import type { FileSearch, Log, Ports, ProcessRunner } from '../engine';
import { environmentSecrets } from './environmentSecrets';
import { nodeClock } from './nodeClock';
import type { FileSearchOptions } from './nodeFileSearch';
import { nodeFileSystem } from './nodeFileSystem';
import { nodePaths } from './nodePaths';
import { nodeWeb } from './web/nodeWeb';

export interface NodePortsOptions {
  /** Default: this process's. */
  env?: NodeJS.ProcessEnv;
  /** Absolute paths where a ripgrep may lie, such as the editor's own; the PATH comes after them. Default: none. */
  ripgrepCandidates?: readonly string[];
  /** Whether changes of folders are told, which takes some time to set up. Default: true. */
  watches?: boolean;
  /** File of the thread that turns pages into Markdown, `dist/web.js`. Without it pages come as plain text. */
  pageWorker?: string;
  /** Default: nothing is logged. */
  log?: Log;
}

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** The engine's ports on this machine. A host that knows better replaces single ones. */
export function nodePorts(options: NodePortsOptions = {}): Ports {
  const { env = process.env, ripgrepCandidates = [], watches = true, pageWorker, log = silent } = options;
  return {
    files: nodeFileSystem(watches),
    paths: nodePaths(),
    search: searchAtFirstUse({ ripgrepCandidates, env }),
    processes: processesAtFirstUse(env),
    web: nodeWeb(pageWorker),
    clock: nodeClock(),
    secrets: environmentSecrets(env),
    log,
  };
}

/** What searches is loaded with the first search. */
function searchAtFirstUse(options: FileSearchOptions): FileSearch {
  let made: Promise<FileSearch> | undefined;
  const search = () => (made ??= import('./nodeFileSearch').then(({ nodeFileSearch }) => nodeFileSearch(options)));
  return {
    glob: async (query, signal) => (await search()).glob(query, signal),
    grep: async (query, signal) => (await search()).grep(query, signal),
  };
}

/** What runs commands is loaded with the first one. */
function processesAtFirstUse(env: NodeJS.ProcessEnv): ProcessRunner {
  let made: Promise<ProcessRunner> | undefined;
  const runner = () =>
    (made ??= import('./processes/nodeProcessRunner').then(({ nodeProcessRunner }) => nodeProcessRunner(env)));
  return { run: async (request, signal) => (await runner()).run(request, signal) };
}
