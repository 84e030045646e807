import { judgeCommand } from './judgeCommand';
import type { ShellKind } from './shellParts';

/** Returns the words of a line that is one simple command, as rules contain them; null for anything else. */
export function commandWords(line: string, shell: ShellKind): readonly string[] | null {
  const [part, ...others] = judgeCommand(line, shell);
  return part && others.length === 0 && part.unread === null && part.words.length > 0 ? part.words : null;
}
