import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { COMMAND_CACHE } from '../support/commandCache';
import { type ModelServer, startModelServer } from '../support/modelServer/modelServer';
import { powerless } from '../support/powerless';
import { type OnTerminal, onTerminal } from './onTerminal';
import type { Story } from '../support/modelServer/story';

interface Result {
  status: number | null;
  out: string;
  err: string;
}

type Kill = (signal: NodeJS.Signals) => void;
type OnText = (text: string, kill: Kill) => void;

interface CallOptions {
  /** Standard input; none if omitted. */
  input?: string;
  /** A line of sh that runs before the command in the same process, such as `ulimit`. */
  before?: string;
  /** Drops root's ability to read and write every file, if the tests run as root. */
  withoutRoot?: boolean;
  /** A file to redirect standard input from. */
  inputFile?: string;
  env?: NodeJS.ProcessEnv;
  /** Called once the process was started. */
  onStart?: (kill: Kill) => void;
  /** Called with all of standard error so far whenever more arrives. */
  onError?: OnText;
  /** Called with all of standard output so far whenever more arrives. */
  onOutput?: OnText;
}

interface Shell {
  folder: string;
  server: ModelServer;
  cairn: (args: readonly string[], options?: CallOptions) => Promise<Result>;
  /** Runs the command interactively in a terminal. */
  terminal: (
    args: readonly string[],
    options?: { env?: NodeJS.ProcessEnv; columns?: number; rows?: number },
  ) => OnTerminal;
}

/** Runs the built command in its own folder with a scripted model. */
export async function inShell(story: Story, use: (shell: Shell) => Promise<void>): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'cairn-cli-'));
  const server = await startModelServer(story);
  try {
    const base = {
      PATH: process.env['PATH'],
      HOME: root,
      ...COMMAND_CACHE,
      CAIRN_CONFIG_DIR: join(root, 'config'),
      OPENAI_BASE_URL: server.url,
      OPENAI_API_KEY: 'test-key',
      // Nothing listens here, even if the machine runs Ollama.
      OLLAMA_HOST: '127.0.0.1:9',
    };
    await use({
      folder: root,
      server,
      terminal: (args, { env, ...size } = {}) => onTerminal(args, { folder: root, env: { ...base, ...env }, ...size }),
      cairn: (args, { input, inputFile, before, withoutRoot = false, env, onStart, onError, onOutput } = {}) =>
        new Promise((resolve, reject) => {
          const file = inputFile === undefined ? undefined : openSync(inputFile, 'r');
          const command = [
            ...(withoutRoot ? powerless : []),
            process.execPath,
            join(repoRoot, 'dist', 'cairn.mjs'),
            ...args,
          ];
          const line = before === undefined ? command : ['sh', '-c', `${before}; exec "$0" "$@"`, ...command];
          const child = spawn(line[0] ?? '', line.slice(1), {
            cwd: root,
            // A test that times out leaves no process behind.
            timeout: 60_000,
            killSignal: 'SIGKILL',
            env: { ...base, ...env },
            stdio: [file ?? (input === undefined ? 'ignore' : 'pipe'), 'pipe', 'pipe'],
          });
          const result: Result = { status: null, out: '', err: '' };
          const kill: Kill = (signal) => void child.kill(signal);
          onStart?.(kill);
          child.stdout?.setEncoding('utf8').on('data', (text: string) => {
            result.out += text;
            onOutput?.(result.out, kill);
          });
          child.stderr?.setEncoding('utf8').on('data', (text: string) => {
            result.err += text;
            onError?.(result.err, kill);
          });
          child.stdin?.end(input);
          if (file !== undefined) closeSync(file);
          child.on('error', reject);
          child.on('close', (status) => resolve({ ...result, status }));
        }),
    });
  } finally {
    await server.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}
