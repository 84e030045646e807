import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { Emitter } from '../../src/base/emitter';

/** The command in a terminal, with its screen as bytes came to it. */
export interface OnTerminal {
  /** Everything that was written so far. */
  readonly screen: string;
  type(keys: string): void;
  /** Resolves once what came after `from` characters fits; gives the place behind it. Rejects when the command ends first. */
  seen(pattern: RegExp, from?: number): Promise<number>;
  /** Resolves with the exit status. */
  readonly ended: Promise<number | null>;
}

interface TerminalRun {
  folder: string;
  env: NodeJS.ProcessEnv;
  columns?: number;
  rows?: number;
}

/** util-linux' `script` makes the terminal. */
export function onTerminal(args: readonly string[], { folder, env, columns = 80, rows = 24 }: TerminalRun): OnTerminal {
  const quoted = [process.execPath, join(repoRoot, 'dist', 'cairn.mjs'), ...args].map(
    (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
  );
  const line = `stty rows ${rows} cols ${columns}; exec ${quoted.join(' ')}`;
  const child = spawn('script', ['-qefc', line, '/dev/null'], {
    cwd: folder,
    env: { ...env, SHELL: '/bin/sh', TERM: 'xterm-256color' },
    timeout: 90_000,
    killSignal: 'SIGKILL',
  });
  let screen = '';
  let hasEnded = false;
  const changed = new Emitter<void>((error) => {
    throw error;
  });
  const tell = (text: string) => {
    screen += text;
    changed.emit();
  };
  child.stdout.setEncoding('utf8').on('data', tell);
  child.stderr.setEncoding('utf8').on('data', tell);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      hasEnded = true;
      changed.emit();
      resolve(status);
    });
  });
  return {
    get screen() {
      return screen;
    },
    type: (keys) => void child.stdin.write(keys),
    seen: (pattern, from = 0) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = pattern.exec(screen.slice(from));
          if (!match && !hasEnded) return;
          listening.dispose();
          if (match) resolve(from + match.index + match[0].length);
          else reject(new Error(`${String(pattern)} was never seen in\n${screen.slice(from)}`));
        };
        const listening = changed.on(look);
        look();
      }),
    ended,
  };
}
