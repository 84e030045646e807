import type { ShellWord } from './shellPart';
import type { ShellKind } from './shellParts';
import { programName } from './unwrapCommand';

const REMOVERS = /^(rm|rmdir|unlink|shred|srm|trash|del|erase|rd|ri|remove-item)$/;

/** The words of a command that say what it removes; empty for one that removes nothing by its name. */
export function removedWords([program, ...rest]: readonly ShellWord[], shell: ShellKind): readonly ShellWord[] {
  if (!REMOVERS.test(programName(program))) return [];
  const end = rest.findIndex(({ text }) => text === '--');
  const isOption = ({ text }: ShellWord) => text.startsWith('-') || (shell === 'windows' && /^\/\w$/.test(text));
  const before = rest.slice(0, end === -1 ? rest.length : end).filter((word) => !isOption(word));
  return end === -1 ? before : [...before, ...rest.slice(end + 1)];
}
