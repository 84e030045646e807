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

/** Node takes a longer wait, of some 25 days, for none at all. */
const LONGEST_MS = 2 ** 31 - 1;

/** One for all: each of its own would look for its stack, and nearly every wait is ended before its time. */
const STOPPED = new AbortError();

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

/** Keys from the usual variables of an environment. An empty one counts as not set. */
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

/** The machine's clock. */
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

/** As Node's own, which makes two errors of each end before its time, and every call of a tool has such a wait. */
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
