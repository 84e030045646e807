import { readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { randomId } from '../../base/newId';
import { errorCode } from '../errorCode';
import { isBornThen, machineOf, ownBirth } from './processBirth';

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
    return true;
  } catch (error) {
    // It may belong to somebody else.
    return errorCode(error) === 'EPERM';
  }
}
