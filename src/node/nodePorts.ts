import { AbortError } from '../base/abort';
import {
  type Clock,
  type FileSearch,
  type Log,
  type Ports,
  type ProcessRunner,
  PROVIDER_KEYS,
  type SecretStore,
} from '../engine';
import type { FileSearchOptions } from './nodeFileSearch';
import { nodeFileSystem } from './nodeFileSystem';
import { nodePaths } from './nodePaths';
import { hiddenValues } from './secretVariables';
import { nodeWeb } from './web/nodeWeb';

/** Node treats a longer timeout, over about 25 days, as none. */
const LONGEST_MS = 2 ** 31 - 1;

/** A shared instance: creating an error captures a stack, and nearly every wait is aborted before its time. */
const STOPPED = new AbortError();

export interface NodePortsOptions {
  /** Default: `process.env`. */
  env?: NodeJS.ProcessEnv;
  /** Absolute paths where ripgrep may be, such as the editor's; searched before the PATH. Default: none. */
  ripgrepCandidates?: readonly string[];
  /** Whether to report folder changes, which takes some time to set up. Default: true. */
  watches?: boolean;
  /** Script of the worker thread that converts pages to Markdown, `dist/web.js`. Without it pages are returned as plain text. */
  pageWorker?: string;
  /** Default: no logging. */
  log?: Log;
}

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Returns the engine's ports for this machine. A host may replace individual ones. */
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

/** Loads the search code on first use. */
function searchAtFirstUse(options: FileSearchOptions): FileSearch {
  let made: Promise<FileSearch> | undefined;
  const search = () => (made ??= import('./nodeFileSearch').then(({ nodeFileSearch }) => nodeFileSearch(options)));
  return {
    glob: async (query, signal) => (await search()).glob(query, signal),
    grep: async (query, signal) => (await search()).grep(query, signal),
  };
}

/** Loads the process runner on first use. */
function processesAtFirstUse(env: NodeJS.ProcessEnv): ProcessRunner {
  let made: Promise<ProcessRunner> | undefined;
  const runner = () =>
    (made ??= import('./processes/nodeProcessRunner').then(({ nodeProcessRunner }) => nodeProcessRunner(env)));
  return { run: async (request, signal) => (await runner()).run(request, signal) };
}

/** Reads keys from the usual environment variables. An empty variable counts as unset. */
export function environmentSecrets(env: NodeJS.ProcessEnv): SecretStore {
  const variables = new Map(PROVIDER_KEYS.map(({ id, keyVariable }) => [`apiKey.${id}`, keyVariable]));
  return {
    get(name) {
      const variable = variables.get(name);
      return Promise.resolve(variable === undefined ? undefined : env[variable] || undefined);
    },
    hidden: () => hiddenValues(env),
  };
}

/** Returns the machine's clock. */
export function nodeClock(): Clock {
  return {
    now: () => Date.now(),
    async sleep(ms, signal) {
      for (let left = ms; left > 0 || left === ms; left -= LONGEST_MS) {
        await wait(Math.min(left, LONGEST_MS), signal);
      }
    },
    alarm(ms, ring) {
      let timer: NodeJS.Timeout | undefined;
      const set = (left: number) => {
        const next = () => (left > LONGEST_MS ? set(left - LONGEST_MS) : ring());
        timer = setTimeout(next, Math.min(left, LONGEST_MS));
      };
      set(ms);
      return { dispose: () => clearTimeout(timer) };
    },
  };
}

/** Like Node's own, which creates two errors each time a wait is aborted, and every tool call has such a wait. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(STOPPED);
    const stop = () => {
      clearTimeout(timer);
      reject(STOPPED);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
