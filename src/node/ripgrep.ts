import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { AbortError } from '../base/abort';
import { MAX_SEARCHED_BYTES } from './lineMatcher';

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

/** Non-ASCII bytes. What JavaScript counts as one or two characters may be different bytes to ripgrep. */
const FOREIGN = '(?-u:[\\x80-\\xff]{1,3})';
const anyOr = (part: string) => `(?:${part}|${FOREIGN})`;

/** In JavaScript these classes cover ASCII; ripgrep's cover all of Unicode. */
const CLASSES = new Map([
  ['\\d', '[0-9]'],
  ['\\D', anyOr('[^0-9]')],
  ['\\w', '[0-9A-Za-z_]'],
  ['\\W', anyOr('[^0-9A-Za-z_]')],
  ['\\s', '[\\s\\x{feff}]'],
  ['\\S', anyOr('\\S')],
  ['\\b', '(?-u:\\b)'],
  ['\\B', '(?-u:\\B)'],
  ['\\t', '\\t'],
]);
const INSIDE = new Map([
  ['\\d', '0-9'],
  ['\\w', '0-9A-Za-z_'],
  ['\\s', '\\s\\x{feff}'],
  ['\\t', '\\t'],
]);

const TOKEN = /\\[^]|\[\^?(?:\\[^]|[^\\\]])+\]|\{\d+(?:,\d*)?\}|\(\?:|\(\?|[^]/g;
const SET_ITEM = /\\[^]|[^]/g;
const SPECIAL = /[\\.+*?()|[\]{}^$]/;

/**
 * Translates a JavaScript regular expression so that ripgrep matches at least the same lines. Returns null if it uses features
 * that differ too much, such as lookaround or back references.
 */
export function ripgrepPattern(source: string): string | null {
  if (/[\ud800-\udfff\r\n]/.test(source)) return null;
  const parts: string[] = [];
  for (const [token] of source.matchAll(TOKEN)) {
    const part = partOf(token);
    if (part === null) return null;
    parts.push(part);
  }
  return parts.join('');
}

function partOf(token: string): string | null {
  if (token === '(?') return null;
  if (token === '.' || isForeign(token)) return anyOr(token);
  if (token.startsWith('[')) return token === '[' || token === '[^]' ? null : setOf(token);
  if (token.startsWith('\\')) return CLASSES.get(token) ?? literalOf(token);
  if (token.length === 1 && '{}]'.includes(token)) return `\\${token}`;
  return token;
}

/** Returns the literal that an escaped character stands for; null if the escape has a meaning. */
function literalOf(token: string): string | null {
  const sign = token.slice(1);
  if (sign === '' || /[\w\s]/.test(sign)) return null;
  if (isForeign(sign)) return anyOr(sign);
  return SPECIAL.test(sign) ? token : sign;
}

/** Whether a character is not ASCII, so that its bytes differ in files that are not UTF-8. */
function isForeign(sign: string): boolean {
  return sign.length === 1 && sign > '\x7f';
}

function setOf(token: string): string | null {
  const negated = token.startsWith('[^');
  const parts: string[] = [];
  for (const [item] of token.slice(negated ? 2 : 1, -1).matchAll(SET_ITEM)) {
    const part = item.startsWith('\\') ? (INSIDE.get(item) ?? escapedInSet(item)) : item;
    if (part === null || part === '[') return null;
    parts.push(part);
  }
  const body = parts.join('');
  if (/&&|--|~~/.test(body)) return null;
  if (negated) return anyOr(`[^${body}]`);
  return /[\u0080-\uffff]/.test(body) ? anyOr(`[${body}]`) : `[${body}]`;
}

function escapedInSet(item: string): string | null {
  const sign = item.slice(1);
  if (sign === '' || /[\w\s]/.test(sign)) return null;
  return /[\\\]^[-]/.test(sign) ? item : sign;
}
