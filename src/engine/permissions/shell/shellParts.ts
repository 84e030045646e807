import type { ShellReading } from './shellPart';
import { splitPosix } from './splitPosix';
import { splitWindows } from './splitWindows';

/** Which shell a line is meant for. */
export type ShellKind = 'posix' | 'windows';

/** Takes a shell line apart into the simple commands that it would run. Pure, never throws. */
export function shellParts(line: string, shell: ShellKind): ShellReading {
  return shell === 'windows' ? splitWindows(line) : splitPosix(line);
}
