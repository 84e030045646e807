import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { randomId } from '../../base/newId';
import { errorCode } from '../fileError';

/** A holder on another machine that has not refreshed the lock for this long is dead or stuck. */
const STALE_MS = 60_000;
/** A file without a name is still being written, or its writer was killed. */
const UNNAMED_MS = 2_000;

/** The contents of a lock file. */
export interface FoundLock {
  text: string;
  modifiedAt: number;
}

/** Returns a unique text that names this process as the holder of a lock. */
export function newHolder(): string {
  return `${hostname()} ${process.pid} ${randomId()} ${ownBirth()}`;
}

/** Reads a lock file; undefined if it does not exist. */
export function readLock(file: string): FoundLock | undefined {
  try {
    return { text: readFileSync(file, 'utf8'), modifiedAt: statSync(file).mtimeMs };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Describes the holder to the user. */
export function holderName(text: string): string {
  const [host, pid] = text.split(' ');
  return pid === undefined ? 'another process' : `process ${pid} on ${host}`;
}

/** Whether the lock belongs to this process. */
export function isOwn(text: string): boolean {
  const [host, pid, , birth] = text.split(' ');
  return host === hostname() && Number(pid) === process.pid && (birth === undefined || birth === ownBirth());
}

/**
 * Whether the holder is dead. A live process on this machine keeps its lock however long it sleeps and whatever the clock says.
 * For other machines only the time since the last refresh is known.
 */
export async function isStale({ text, modifiedAt }: FoundLock): Promise<boolean> {
  const [host, pid, , birth] = text.split(' ');
  const age = Date.now() - modifiedAt;
  if (pid === undefined) return Math.abs(age) > UNNAMED_MS;
  if (host !== hostname() || isOfOtherMachine(birth)) return age > STALE_MS;
  if (!isAlive(Number(pid))) return true;
  return birth !== undefined && !(await isBornThen(Number(pid), birth));
}

/** Different machines and containers may have the same host name. */
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
    // The process may belong to another user.
    return errorCode(error) === 'EPERM';
  }
}

/** Returns true on Linux for a zombie: in a container without an init process it keeps its pid forever. */
function hasEnded(pid: number): boolean {
  return 'ZX'.includes(linuxStat(String(pid))?.[0] ?? '-');
}

/** Allowed difference between a process's own start time and the one reported by the system. */
const TOLERANCE_MS = 10_000;

const ASK_MS = 10_000;

/**
 * Returns when this process started, in a form other processes can compare, because pids are reused. On Linux it includes the
 * boot id and the pid namespace, which containers with the same name do not share.
 */
function ownBirth(): string {
  const born = linuxBirth('self');
  return born ?? `t${Math.round(performance.timeOrigin)}`;
}

/** Returns the machine part of a birth; undefined if there is none. */
function machineOf(birth: string): string | undefined {
  const end = birth.lastIndexOf('.');
  return end < 0 ? undefined : birth.slice(0, end);
}

/** Whether the live process with this pid has this birth; true if that is unknown. */
async function isBornThen(pid: number, birth: string, platform = process.platform): Promise<boolean> {
  if (machineOf(birth) !== undefined) {
    const found = linuxBirth(String(pid));
    return found === undefined || found === birth;
  }
  const begun = /^t\d+$/.test(birth) ? await startOf(pid, platform) : undefined;
  return begun === undefined || Math.abs(begun - Number(birth.slice(1))) <= TOLERANCE_MS;
}

/** Returns undefined on other systems and for dead processes. */
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

/** Returns the fields of `/proc/PID/stat` from the state on; undefined on other systems and for dead processes. */
function linuxStat(pid: string): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain anything.
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
