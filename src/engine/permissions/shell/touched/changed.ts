import type { ShellWord } from '../shellPart';
import type { ShellKind } from '../shellParts';

/** The words of a command that say what it touches, other than by reading. */
export interface ChangedWords {
  /** With everything in them. */
  removed: readonly ShellWord[];
  changed: readonly ShellWord[];
  /** Read, with everything in them. */
  copied: readonly ShellWord[];
  /** The word that decides which files are written, if the line does not name them. */
  unknown: string | null;
}

export const NOTHING: ChangedWords = { removed: [], changed: [], copied: [], unknown: null };
export const GIT_HOOKS: ChangedWords = { ...NOTHING, changed: [{ text: '.git/hooks', kind: 'exact' }] };

/** A word of a program after which package names follow, rather than what it starts. */
export const NAMES_PACKAGES = /^(add|install|i|remove|uninstall|upgrade|update|search|show|info|-S\w*)$/;

/** An option, with the value in the same word or the next. */
interface GivenOption {
  /** As in `-o` or `--output`. */
  option: string;
  value: ShellWord | undefined;
}

export function operandsOf(words: readonly ShellWord[], shell: ShellKind): readonly ShellWord[] {
  const end = words.findIndex(({ text }) => text === '--');
  const isOption = ({ text }: ShellWord) =>
    (text.startsWith('-') && text !== '-') || (shell === 'windows' && /^\/\w$/.test(text));
  const before = words.slice(0, end === -1 ? words.length : end).filter((word) => !isOption(word));
  return end === -1 ? before : [...before, ...words.slice(end + 1)];
}

/** Returns the options of a call, with combined letters split up; `valued` are the letters that take a value. */
export function givenOptions(words: readonly ShellWord[], valued: string): readonly GivenOption[] {
  const end = words.findIndex(({ text }) => text === '--');
  const all = end === -1 ? words : words.slice(0, end);
  return all.flatMap((word, at): GivenOption[] => {
    const next = all[at + 1];
    const { text, kind } = word;
    const equals = text.indexOf('=');
    if (text.startsWith('--') && equals > 0)
      return [{ option: text.slice(0, equals), value: { text: text.slice(equals + 1), kind } }];
    if (text.startsWith('--')) return [{ option: text, value: next }];
    if (!text.startsWith('-')) return [];
    const first = Array.from(text.slice(1)).findIndex((letter) => valued.includes(letter));
    const letters = first === -1 ? text.slice(1) : text.slice(1, first + 2);
    const glued = first === -1 ? '' : text.slice(first + 2);
    const value = glued === '' ? next : { text: glued, kind };
    return Array.from(new Set(letters), (letter) => ({ option: `-${letter}`, value }));
  });
}

/** Returns true for one of the options; a long one may be abbreviated, as GNU programs allow. */
export function isOneOf(option: string, options: readonly string[]): boolean {
  return options.some(
    (one) => one === option || (option.length > 2 && option.startsWith('--') && one.startsWith(option)),
  );
}
