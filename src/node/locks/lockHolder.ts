import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { randomId } from '../../base/newId';
import { errorCode } from '../fileError';

/** Nobody on another machine has refreshed it for so long: its holder is gone, or stands still. */
const STALE_MS = 60_000;
/** A file that names nobody is just being written, or its writer was killed. */
const UNNAMED_MS = 2_000;

/** What a lock file says. */
export interface FoundLock {
  text: string;
  modifiedAt: number;
}

/** The text by which a lock says that this process has it; no two are the same. */
export function newHolder(): string {
  return `${hostname()} ${process.pid} ${randomId()} ${ownBirth()}`;
}

/** Undefined when there is no such file. */
export function readLock(file: string): FoundLock | undefined {
  try {
    return { text: readFileSync(file, 'utf8'), modifiedAt: statSync(file).mtimeMs };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Who has it, for a person. */
export function holderName(text: string): string {
  const [host, pid] = text.split(' ');
  return pid === undefined ? 'another process' : `process ${pid} on ${host}`;
}

/** True for a lock of this very process. */
export function isOwn(text: string): boolean {
  const [host, pid, , birth] = text.split(' ');
  return host === hostname() && Number(pid) === process.pid && (birth === undefined || birth === ownBirth());
}

/**
 * True when its holder is gone: a process of this machine that lives has its lock however long it slept, and whatever the
 * clock says. Of other machines only the time since they refreshed it is known.
 */
export async function isStale({ text, modifiedAt }: FoundLock): Promise<boolean> {
  const [host, pid, , birth] = text.split(' ');
  const age = Date.now() - modifiedAt;
  if (pid === undefined) return Math.abs(age) > UNNAMED_MS;
  if (host !== hostname() || isOfOtherMachine(birth)) return age > STALE_MS;
  if (!isAlive(Number(pid))) return true;
  return birth !== undefined && !(await isBornThen(Number(pid), birth));
}

/** Machines and containers may have the same name. */
function isOfOtherMachine(birth: string | undefined): boolean {
  const machine = birth === undefined ? undefined : machineOf(birth);
  return machine !== undefined && machine !== machineOf(ownBirth());
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return !hasEnded(pid);
  } catch (error) {
    // It may belong to somebody else.
    return errorCode(error) === 'EPERM';
  }
}

/** True on Linux for one that ended and that nobody took note of: in a container without an init it keeps its number for good. */
function hasEnded(pid: number): boolean {
  return 'ZX'.includes(linuxStat(String(pid))?.[0] ?? '-');
}

/** How far the time that a process gives for its own start may be from what the system says of it. */
const TOLERANCE_MS = 10_000;

const ASK_MS = 10_000;

/**
 * When this process began, in words that another one can compare: numbers of processes are used again. On Linux with the
 * start of the machine and the space of numbers, which containers of one name do not share.
 */
function ownBirth(): string {
  const born = linuxBirth('self');
  return born ?? `t${Math.round(performance.timeOrigin)}`;
}

/** The part of a birth that names the machine; undefined where there is none. */
function machineOf(birth: string): string | undefined {
  const end = birth.lastIndexOf('.');
  return end < 0 ? undefined : birth.slice(0, end);
}

/** Whether the process of that number, which is alive, is the one that gave that birth; true when nobody can tell. */
async function isBornThen(pid: number, birth: string, platform = process.platform): Promise<boolean> {
  if (machineOf(birth) !== undefined) {
    const found = linuxBirth(String(pid));
    return found === undefined || found === birth;
  }
  const begun = /^t\d+$/.test(birth) ? await startOf(pid, platform) : undefined;
  return begun === undefined || Math.abs(begun - Number(birth.slice(1))) <= TOLERANCE_MS;
}

/** Undefined on other systems, and of a process that is gone. */
function linuxBirth(pid: string): string | undefined {
  try {
    const start = linuxStat(pid)?.[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const space = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
    return start && `${boot}.${space}.${start}`;
  } catch {
    return undefined;
  }
}

/** What the system says of a process, from its state on; undefined on other systems, and of a process that is gone. */
function linuxStat(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name comes in parentheses and may hold anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

function startOf(pid: number, platform: NodeJS.Platform): Promise<number | undefined> {
  const [program, args] =
    platform === 'win32'
      ? [
          'powershell',
          ['-NoProfile', '-Command', `([DateTimeOffset](Get-Process -Id ${pid}).StartTime).ToUnixTimeMilliseconds()`],
        ]
      : ['ps', ['-o', 'lstart=', '-p', String(pid)]];
  return new Promise((resolve) => {
    execFile(program, args, { timeout: ASK_MS, env: { ...process.env, LC_ALL: 'C' } }, (error, stdout) => {
      const said = stdout.trim();
      const time = /^\d+$/.test(said) ? Number(said) : Date.parse(said);
      resolve(error || Number.isNaN(time) ? undefined : time);
    });
  });
}
