import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOnPath } from '../../editor/findOnPath';

/** The programs that a line started, each with its arguments; `wrote` for each protected place that it changed. */
export type Ran = readonly (readonly string[])[];

/** Programs that have effects or start others are real. All others only report that they were started. */
const REAL = [
  'env',
  'timeout',
  'nice',
  'nohup',
  'xargs',
  'find',
  'stdbuf',
  'setsid',
  'bash',
  'sh',
  'cp',
  'mv',
  'tee',
  'touch',
  'dd',
  'install',
  'truncate',
  'mkdir',
  'ln',
];
const MARKERS = [
  'git',
  'ls',
  'npm',
  'cat',
  'wc',
  'evil',
  'grep',
  'rg',
  'node',
  'python3',
  'rm',
  'sort',
  'tar',
  'make',
  'sed',
  'awk',
  'curl',
  'b',
];
/** Programs that only start what they are given. */
const PASSING = { sudo: 'while [ "$1" = -u ]; do shift 2; done; exec "$@"', busybox: 'exec "$@"' };
const STALLED_MS = 4000;
/** The driver's exit code if a line wrote where it must not. */
const WROTE = 9;
/** Files of the working folder that no line may change. */
const KEPT = ['.git/config', '.env'];
/** What exists around the working folder, as patterns that the driver checks after each line. */
const AROUND = [
  ['../*', '../outside ../work'],
  ['../../*', '../../d'],
  ['../../../*', '../../../c ../../../home'],
  ['.git/*', '.git/config'],
  ['~/*', '~/*'],
] as const;

/** A folder in which lines run, deep enough for several steps up, with a PATH that contains nothing else. */
export class ShellArena {
  private constructor(
    private readonly root: string,
    readonly files: Readonly<Record<string, string>>,
  ) {}

  /** `files` are created in the working folder of each line, by relative path. */
  static async make(files: Readonly<Record<string, string>>): Promise<ShellArena> {
    const root = await mkdtemp(join(tmpdir(), 'cairn-lines-'));
    const bin = join(root, 'bin');
    await mkdir(bin);
    const tells = `printf '%s\\0' "$MARK_LINE" "$#" "\${0##*/}" "$@" >> "$MARK_LOG"\n`;
    const head = `#!${requireProgram('dash')}\n`;
    for (const name of MARKERS) await writeProgram(join(bin, name), `${head}${tells}`);
    for (const [name, passes] of Object.entries(PASSING)) await writeProgram(join(bin, name), `${head}${passes}\n`);
    // Not links, because zsh could write to a program named as `=NAME`.
    for (const name of REAL) await writeProgram(join(bin, name), `${head}exec ${requireProgram(name)} "$@"\n`);
    return new ShellArena(root, files);
  }

  dispose(): Promise<void> {
    return rm(this.root, { recursive: true, force: true });
  }

  /** What each line started. A line that does not end is killed and counts with what it started so far. */
  async run(shell: string, lines: readonly string[]): Promise<Ran[]> {
    const started: Ran[] = [];
    for (let from = 0; from < lines.length;) {
      const place = await mkdtemp(join(this.root, 'run-'));
      const { ran, next } = await this.runFrom(place, shell, lines, from);
      started.push(...ran);
      from = next;
      await rm(place, { recursive: true, force: true });
    }
    return started;
  }

  /** Creates the working folder, with protected files, and a script outside that starts something not allowed. */
  private async furnish(place: string): Promise<string> {
    const work = join(place, 'a', 'b', 'c', 'd', 'work');
    const kept = KEPT.map((file) => [file, 'kept\n'] as const);
    for (const [file, text] of [...Object.entries(this.files), ...kept, ['../outside', 'evil\n'] as const]) {
      await mkdir(join(work, file, '..'), { recursive: true });
      await writeFile(join(work, file), text);
    }
    await mkdir(join(place, 'a', 'b', 'home'));
    return work;
  }

  private async runFrom(place: string, shell: string, lines: readonly string[], from: number) {
    const work = await this.furnish(place);
    const log = join(place, 'log');
    await writeFile(log, '');
    const program = requireProgram(shell);
    const options = shell === 'zsh' ? '-fc' : '-c';
    const script = lines.slice(from).map((line, at) => {
      const number = from + at;
      return `echo ${number} >&3\ncd ${quoted(work)}\nMARK_LINE=${number} ${program} ${options} ${quoted(`exec 2>&1; ${line}`)} 3>&- >/dev/null 2>&1 </dev/null\nlook ${number}\n`;
    });
    const driver = join(place, 'driver');
    await writeFile(driver, `export MARK_LOG=${quoted(log)}\n${lookAround(work)}${script.join('')}`);
    const env = { PATH: join(this.root, 'bin'), HOME: join(place, 'a', 'b', 'home') };
    const child = spawn(requireProgram('dash'), [driver], {
      cwd: work,
      env,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    });
    const next = await followed(child, lines.length);
    return { ran: startedBy(await readFile(log, 'utf8'), from, next), next };
  }
}

/** Waits for the lines and everything they leave running. Resolves to the number of the line to continue with. */
function followed(child: ChildProcess, end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    let current = 0;
    let stalled = false;
    let told = '';
    const kill = () => {
      stalled = true;
      endGroup(child);
    };
    let watch = setTimeout(kill, STALLED_MS);
    child.stdio[3]?.on('data', (chunk: Buffer) => {
      clearTimeout(watch);
      watch = setTimeout(kill, STALLED_MS);
      told = (told + chunk.toString()).slice(-40);
      current = Number(/(\d+)\n[^\n]*$/.exec(told)?.[1] ?? current);
    });
    // Kept open by whatever a line leaves running, so that "close" comes after all of it.
    child.stdio[4]?.on('data', () => undefined);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(watch);
      endGroup(child);
      resolve(stalled || code === WROTE ? current + 1 : end);
    });
  });
}

/** A function of the driver that stops it after a line that wrote where it must not, so that the next line finds everything in order. */
function lookAround(work: string): string {
  const kept = KEPT.map((file) => `x=; read -r x < ${file}; [ "$x" = kept ] || wrote ${file}\n`);
  const around = AROUND.map(([pattern, all]) => {
    const expected = pattern.startsWith('~') ? '"$HOME/*"' : quoted(all);
    return `set -- ${pattern}; [ "$*" = ${expected} ] || wrote '${pattern}'\n`;
  });
  return [
    `wrote() { printf '%s\\0' "$line" 1 wrote "$1" >> "$MARK_LOG"; exit ${WROTE}; }\n`,
    `look() {\nline=$1\ncd ${quoted(work)}\n${[...kept, ...around].join('')}}\n`,
  ].join('');
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes of the group have ended.
  }
}

function startedBy(log: string, from: number, next: number): Ran[] {
  const ran: string[][][] = Array.from({ length: next - from }, () => []);
  const fields = log.split('\0');
  for (let at = 0; at + 2 < fields.length;) {
    const count = Number(fields[at + 1]);
    ran[Number(fields[at]) - from]?.push(fields.slice(at + 2, at + 3 + count));
    at += 3 + count;
  }
  return ran;
}

async function writeProgram(file: string, text: string): Promise<void> {
  await writeFile(file, text);
  await chmod(file, 0o755);
}

function requireProgram(name: string): string {
  const file = findOnPath(name);
  if (file === undefined) throw new Error(`${name} is not installed. Install it (on Debian: apt-get install ${name}).`);
  return file;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
