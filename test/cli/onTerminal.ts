import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Emitter } from '../../src/base/disposable';
import { repoRoot } from '../editor/repoRoot';

/** The command running in a terminal, with the raw bytes of its output. */
export interface OnTerminal {
  /** All output so far. */
  readonly screen: string;
  type(keys: string): void;
  /** Resolves once the output after `from` characters matches; returns the position after the match. Rejects if the command ends first. */
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

/** Runs the command in a pseudoterminal created by util-linux's `script`. */
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
