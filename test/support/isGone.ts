import { readFileSync } from 'node:fs';
import { aMoment } from './aMoment';

/** Returns true if no process with that id exists or only a zombie is left of it. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform === 'linux' && /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

/** Waits until no process with that id is left. */
export async function untilGone(pid: number): Promise<void> {
  while (!isGone(pid)) await aMoment();
}
