import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { AbortError } from '../../base/abort';
import { MAX_SEARCHED_BYTES } from '../searchedLines';

/** Makes ripgrep respect only `.gitignore` files and no user configuration. */
const SAME_AS_WALK = [
  '--no-config',
  '--hidden',
  '--no-require-git',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--no-ignore-dot',
  '--glob=!.git',
  '--glob=!node_modules',
  '--color=never',
  '--no-messages',
  '--null',
];

/** What ripgrep lists: all files, or those with a matching line. */
export type RipgrepTask = { kind: 'all' } | { kind: 'matching'; pattern: string; ignoreCase: boolean };

/**
 * Returns the absolute paths of files below `root`, unordered; `onPath` gets each as it arrives. Resolves to null if this ripgrep
 * cannot do it.
 */
export function ripgrepPaths(
  ripgrep: string,
  root: string,
  task: RipgrepTask,
  signal: AbortSignal,
  onPath: (path: string) => void = () => undefined,
): Promise<string[] | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(ripgrep, [...SAME_AS_WALK, ...argumentsFor(task), root], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const paths: string[] = [];
    let rest = '';
    let complaint = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const names = (rest + chunk).split('\0');
      rest = names.pop() ?? '';
      for (const name of names) {
        const file = path.resolve(root, name);
        paths.push(file);
        onPath(file);
      }
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaint ||= chunk));
    const stop = () => void child.kill('SIGKILL');
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    child.on('error', () => resolve(null));
    child.on('close', (exitCode) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(new AbortError());
      // 1 means that nothing was found; 2 without a message, that some files could not be read.
      else resolve(complaint === '' && exitCode !== null && exitCode <= 2 && exitCode >= 0 ? paths : null);
    });
  });
}

function argumentsFor(task: RipgrepTask): string[] {
  if (task.kind === 'all') return ['--files', '--'];
  const letters = task.ignoreCase ? '--ignore-case' : '--case-sensitive';
  const size = `--max-filesize=${MAX_SEARCHED_BYTES}`;
  return ['--files-with-matches', '--no-mmap', '--crlf', letters, size, `--regexp=${task.pattern}`, '--'];
}

/** Returns the first executable ripgrep among the candidates (absolute paths), or else on the PATH. Returns null if there is none. */
export async function findRipgrep(candidates: readonly string[], env: NodeJS.ProcessEnv): Promise<string | null> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  for (const file of [...candidates, ...folders.map((folder) => path.join(folder, name))]) {
    if (await isRunnable(file)) return file;
  }
  return null;
}

async function isRunnable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
