import { readFileSync } from 'node:fs';

/** True when no process with that id is there any more, also where it has ended and nobody has noticed that yet. */
export function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform === 'linux' && /^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
