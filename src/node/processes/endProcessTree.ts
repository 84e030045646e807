import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

/** Short enough that everything started by a canceled run is gone within a second. */
const POLITE_MS = 700;
const FORCED_MS = 2000;
const POLL_MS = 25;

/**
 * Ends the process that leads the group `leader`, its group, and descendants that left the group. Sends SIGTERM first and SIGKILL
 * shortly afterwards; on Windows, kills at once. Resolves once all are gone, or nothing more can be done about the rest. `seen`:
 * processes that were descendants earlier, which are ended too, unless their ids belong to other processes by now.
 */
export async function endProcessTree(leader: number, seen: readonly SeenProcess[] = []): Promise<void> {
  if (process.platform === 'win32') return endOnWindows(leader);
  const known: Known = new Map(seen.map(({ pid, start }) => [pid, start]));
  await signalTree(leader, known, 'SIGTERM');
  if (await gone(leader, known, POLITE_MS)) return;
  await signalTree(leader, known, 'SIGKILL');
  await gone(leader, known, FORCED_MS);
}

/**
 * Returns the process, its group, and its current descendants. A descendant that left the group can no longer be found once its
 * parent has ended.
 */
export async function processTree(leader: number): Promise<SeenProcess[]> {
  return process.platform === 'win32' ? [] : living(leader, new Map());
}

function endOnWindows(leader: number): Promise<void> {
  return new Promise((resolve) => {
    execFile('taskkill', ['/pid', String(leader), '/T', '/F'], { windowsHide: true }, () => resolve());
  });
}

async function signalTree(leader: number, known: Known, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const members = await living(leader, known);
  trySignal(-leader, signal);
  for (const { pid } of members) trySignal(pid, signal);
}

async function gone(leader: number, known: Known, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    if ((await living(leader, known)).length === 0) return true;
    if (Date.now() >= deadline) return false;
    await setTimeout(POLL_MS);
  }
}

/** Returns the live processes of the group and its descendants. Those seen once stay in `known` even if their parent ends first. */
async function living(leader: number, known: Known): Promise<SeenProcess[]> {
  const table = await processTable();
  const isKnown = ({ pid, start }: ProcessRow) => known.get(pid) === start;
  const members = new Map(
    table.filter((row) => row.group === leader || isKnown(row)).map(({ pid, start }) => [pid, start]),
  );
  for (let before = -1; before !== members.size;) {
    before = members.size;
    for (const { pid, parent, start } of table) if (members.has(parent)) members.set(pid, start);
  }
  for (const [pid, start] of members) known.set(pid, start);
  return [...members].map(([pid, start]) => ({ pid, start }));
}

/** The process may have ended in the meantime, or belong to another user. */
function trySignal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    return;
  }
}

/** A process. The system may give the id of one that has ended to another, which then has another start. */
export interface SeenProcess {
  readonly pid: number;
  /** When it was started, in the system's own form. */
  readonly start: string;
}

/** Starts by id. */
type Known = Map<number, string>;

/** A live process. */
export interface ProcessRow extends SeenProcess {
  readonly parent: number;
  readonly group: number;
}

/** Lists all live processes on a POSIX machine, without zombies. */
export function processTable(platform: NodeJS.Platform = process.platform): Promise<ProcessRow[]> {
  return platform === 'linux' ? fromProc() : fromPs();
}

async function fromProc(): Promise<ProcessRow[]> {
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const rows = await Promise.all(names.map(readStat));
  return rows.filter((row) => row !== null);
}

/** The position of the start time after the name, in ticks since the machine was started. */
const START_FIELD = 19;

/** Returns null if the process ended while the table was being read. */
async function readStat(pid: string): Promise<ProcessRow | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain anything, including spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent, group] = fields;
    if ('ZX'.includes(state)) return null;
    return { pid: Number(pid), parent: Number(parent), group: Number(group), start: fields[START_FIELD] ?? '' };
  } catch {
    return null;
  }
}

function fromPs(): Promise<ProcessRow[]> {
  return new Promise((resolve) => {
    // Without ps the table is empty, so only the process group is known.
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], (_error, stdout) => {
      const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/));
      const living = rows.filter(([pid, , , state]) => Boolean(pid) && !state?.startsWith('Z'));
      resolve(
        living.map(([pid, parent, group, , ...start]) => ({
          pid: Number(pid),
          parent: Number(parent),
          group: Number(group),
          start: start.join(' '),
        })),
      );
    });
  });
}
