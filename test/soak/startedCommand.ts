import { spawn } from 'node:child_process';
import path from 'node:path';
import * as z from 'zod';
import { Deferred } from '../../src/base/async';
import { repoRoot } from '../editor/repoRoot';

/** The parts of an event that are read; of messages, the id that identifies them. */
const eventSchema = z.object({
  type: z.string(),
  message: z.exactOptional(z.union([z.string(), z.object({ id: z.string() })])),
});
type Event = z.infer<typeof eventSchema>;

export interface CommandPlace {
  home: string;
  workspace: string;
  config: string;
  modelUrl: string;
}

/** A `cairn` process working in a session. */
export interface StartedCommand {
  session: string;
  /** Events so far, from complete lines only. */
  events: readonly Event[];
  error: () => string;
  /** Null if it was killed. */
  status: () => number | null;
  /** Resolves once it has the session or has ended. */
  begun: Promise<void>;
  ended: Promise<void>;
  /** Returns false if it had already ended on its own. */
  kill: () => boolean;
}

/** `before` is a line of sh that its process runs first. */
export function startCommand(
  place: CommandPlace,
  session: string,
  text: string,
  before?: string | null,
): StartedCommand {
  const args = ['-m', 'openai:test-model', '-s', session, '--approve', 'all', '--output', 'stream-json', text];
  const command = [process.execPath, path.join(repoRoot, 'dist', 'cairn.mjs'), ...args];
  const [program = '', ...rest] = before ? ['sh', '-c', `${before}; exec "$0" "$@"`, ...command] : command;
  const child = spawn(program, rest, {
    cwd: place.workspace,
    env: {
      PATH: process.env['PATH'],
      HOME: place.home,
      CAIRN_CONFIG_DIR: place.config,
      OPENAI_BASE_URL: place.modelUrl,
      OPENAI_API_KEY: 'test-key',
      // Unreachable, even if an Ollama runs on this machine.
      OLLAMA_HOST: '127.0.0.1:9',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const begun = new Deferred<void>();
  const events: Event[] = [];
  let rests = '';
  let error = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${rests}${chunk}`.split('\n');
    rests = lines.pop() ?? '';
    for (const line of lines) if (line !== '') events.push(eventSchema.parse(JSON.parse(line)));
    if (events.some(({ type }) => type === 'run-started')) begun.resolve();
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (error += chunk));
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', () => resolve());
    child.on('close', () => begun.resolve());
  });
  return {
    ...{ session, events, begun: begun.promise, ended, error: () => error, status: () => child.exitCode },
    kill: () => child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'),
  };
}

/** The messages that it reported to be in the session. */
export function acknowledged({ events }: StartedCommand): string[] {
  return events.flatMap(({ type, message }) =>
    (type === 'message-taken' || type === 'reply-finished') && typeof message === 'object' ? [message.id] : [],
  );
}
