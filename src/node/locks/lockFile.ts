import { execFile } from 'node:child_process';
import {
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimes,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { KeyedMutex } from '../../base/async';
import { randomId } from '../../base/newId';
import { EngineError, type FileLock } from '../../engine';
import { errorCode, fileError } from '../fileError';
import { resolveLinks } from '../nodePaths';

/** Longer than any write of a file takes. */
const ABANDONED_MS = 600_000;

const OF_WRITE = /^\.[0-9a-f-]{36}\.tmp$/;
const REFRESH_MS = 10_000;
/** Retries while other processes take over the same lock. */
const ATTEMPTS = 20;
const AGAIN_MS = 5;
/** Errors on file systems without hard links. */
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'UNKNOWN']);

/**
 * Takes a lock between processes: a file that names its holder. Returns null if another process has it. The lock of a dead
 * process is taken over. Within one process it excludes no one: taking it again invalidates the earlier lock.
 */
export async function lockFile(file: string): Promise<FileLock | null> {
  const holder = newHolder();
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (placed(file, holder)) return swept(file, holder);
    const found = readLock(file);
    if (!found) continue;
    if (!isOwn(found.text) && !(await isStale(found))) return null;
    if (await tookOver(file, holder)) return swept(file, holder);
    await setTimeout(AGAIN_MS);
  }
  return null;
}

/** Whether another live process has the lock. */
export async function isLocked(file: string): Promise<boolean> {
  const found = readLock(file);
  return found !== undefined && !isOwn(found.text) && !(await isStale(found));
}

/**
 * Creates the lock file; returns false if it exists. The text is there from the start, so a killed process cannot leave a lock
 * without a name.
 */
function placed(file: string, holder: string): boolean {
  try {
    aside(file, holder, (temporary) => linkSync(temporary, file));
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EEXIST') return false;
    if (code === undefined || !NO_LINKS.has(code)) throw error;
    return placedWithoutLinks(file, holder);
  }
}

function placedWithoutLinks(file: string, holder: string): boolean {
  try {
    writeFileSync(file, holder, { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function aside(file: string, holder: string, use: (temporary: string) => void): void {
  const temporary = `${file}.${holder.split(' ')[2]}.tmp`;
  try {
    writeFileSync(temporary, holder, { flag: 'wx' });
    use(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Replaces the lock of a dead holder. Only the process that has the `.next` file may do so, and it checks the lock again first,
 * because another process may have taken it over since.
 */
async function tookOver(file: string, holder: string): Promise<boolean> {
  const next = `${file}.next`;
  if (!placed(next, holder)) {
    await clearNext(next);
    return false;
  }
  try {
    const found = readLock(file);
    if (!found || !(isOwn(found.text) || (await isStale(found)))) return false;
    aside(file, holder, (temporary) => renameSync(temporary, file));
    return true;
  } finally {
    removeOwn(next, holder);
  }
}

/** Removes the `.next` file of a process that was killed during a takeover. A live process removes its own in a moment. */
async function clearNext(next: string): Promise<void> {
  const found = readLock(next);
  if (!found || !(await isStale(found))) return;
  const moved = `${next}.${newHolder().split(' ')[2]}.tmp`;
  try {
    renameSync(next, moved);
    // Another process may have cleared it in the meantime and started a takeover, so its file is restored.
    const text = readFileSync(moved, 'utf8');
    if (text !== found.text) placed(next, text);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}

async function swept(file: string, holder: string): Promise<FileLock> {
  const held = heldLock(file, holder);
  // Leftovers do no harm.
  await sweepLeftovers(file).catch(() => undefined);
  return held;
}

function names(file: string, holder: string): boolean {
  try {
    return readFileSync(file, 'utf8') === holder;
  } catch {
    // A lock that is gone or unreadable counts as lost.
    return false;
  }
}

function removeOwn(file: string, holder: string): void {
  if (names(file, holder)) rmSync(file, { force: true });
}

function heldLock(file: string, holder: string): FileLock {
  const timer = setInterval(() => {
    const now = new Date();
    // Refresh only if the lock file still names this holder.
    if (names(file, holder)) utimes(file, now, now, () => undefined);
  }, REFRESH_MS);
  timer.unref();
  return {
    isHeld: () => names(file, holder),
    release() {
      clearInterval(timer);
      removeOwn(file, holder);
      return Promise.resolve();
    },
  };
}

/** Removes what killed processes left next to a lock: temporary files of locks and of other files. */
async function sweepLeftovers(lock: string): Promise<void> {
  const folder = path.dirname(lock);
  const ofLock = `${path.basename(lock)}.`;
  for (const name of readdirSync(folder)) {
    if (!name.endsWith('.tmp')) continue;
    const file = path.join(folder, name);
    const isLeft = name.startsWith(ofLock) ? await isLeftLock(file) : OF_WRITE.test(name) && isOld(file);
    if (isLeft) rmSync(file, { force: true });
  }
}

async function isLeftLock(file: string): Promise<boolean> {
  const found = readLock(file);
  return found !== undefined && (await isStale(found));
}

function isOld(file: string): boolean {
  const modifiedAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return modifiedAt !== undefined && Date.now() - modifiedAt > ABANDONED_MS;
}

const TURN_AGAIN_MS = 10;
/** The protected work takes only a moment, so a process that has the lock for longer is stuck. */
const WAIT_MS = 10_000;

const turns = new KeyedMutex();

/**
 * Runs work, such as a read-modify-write of a file, while no one else runs theirs under the same lock: calls in this process take
 * turns, other processes are kept out by the lock file. The lock's folder must exist. Rejects with EngineError `io` if another
 * process does not release the lock.
 */
export async function exclusively<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const real = resolveLinks(lock);
  return turns.take(
    [real],
    async () => {
      const held = await lockInTime(real);
      try {
        return await work();
      } finally {
        await held.release();
      }
    },
    // `lockInTime` has its own timeout.
    new AbortController().signal,
  );
}

async function lockInTime(lock: string): Promise<FileLock> {
  let until: number | undefined;
  for (;;) {
    const held = await lockFile(lock).catch((error: unknown) => Promise.reject(fileError(error, lock)));
    if (held) return held;
    // Read only once there is something to wait for, because the first access makes Node load its performance module.
    until ??= performance.now() + WAIT_MS;
    if (performance.now() > until) {
      const holder = holderName(readLock(lock)?.text ?? '');
      throw new EngineError('io', `${holder} still holds ${lock}. End that process, then try again.`);
    }
    await setTimeout(TURN_AGAIN_MS);
  }
}

/** A holder on another machine that has not refreshed the lock for this long is dead or stuck. */
const STALE_MS = 60_000;
/** A file without a name is still being written, or its writer was killed. */
const UNNAMED_MS = 2_000;

/** The contents of a lock file. */
interface FoundLock {
  text: string;
  modifiedAt: number;
}

/** Returns a unique text that names this process as the holder of a lock. */
function newHolder(): string {
  return `${hostname()} ${process.pid} ${randomId()} ${ownBirth()}`;
}

/** Reads a lock file; undefined if it does not exist. */
function readLock(file: string): FoundLock | undefined {
  try {
    return { text: readFileSync(file, 'utf8'), modifiedAt: statSync(file).mtimeMs };
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Describes the holder to the user. */
function holderName(text: string): string {
  const [host, pid] = text.split(' ');
  return pid === undefined ? 'another process' : `process ${pid} on ${host}`;
}

/** Whether the lock belongs to this process. */
function isOwn(text: string): boolean {
  const [host, pid, , birth] = text.split(' ');
  return host === hostname() && Number(pid) === process.pid && (birth === undefined || birth === ownBirth());
}

/**
 * Whether the holder is dead. A live process on this machine keeps its lock however long it sleeps and whatever the clock says.
 * For other machines only the time since the last refresh is known.
 */
async function isStale({ text, modifiedAt }: FoundLock): Promise<boolean> {
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
