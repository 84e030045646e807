import { execFile } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';

/** How far the time that a process gives for its own start may be from what the system says of it. */
const TOLERANCE_MS = 10_000;
const ASK_MS = 10_000;

/**
 * When this process began, in words that another one can compare: numbers of processes are used again. On Linux with the
 * start of the machine and the space of numbers, which containers of one name do not share.
 */
export function ownBirth(): string {
  const born = linuxBirth('self');
  return born ?? `t${Math.round(performance.timeOrigin)}`;
}

/** The part of a birth that names the machine; undefined where there is none. */
export function machineOf(birth: string): string | undefined {
  const end = birth.lastIndexOf('.');
  return end < 0 ? undefined : birth.slice(0, end);
}

/** Whether the process of that number, which is alive, is the one that gave that birth; true when nobody can tell. */
export async function isBornThen(pid: number, birth: string, platform = process.platform): Promise<boolean> {
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
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name comes in parentheses and may hold anything; the start is the twentieth field behind it.
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const space = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
    return start && `${boot}.${space}.${start}`;
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
