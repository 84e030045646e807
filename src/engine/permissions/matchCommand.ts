import { isAddedToGit, sameActions } from './sameActions';
import type { ShellWord } from './shell/shellPart';
import { programNameOf } from './shell/unwrapCommand';

export type CommandMatch = 'yes' | 'no' | 'maybe';

/**
 * Whether a command is the one that a rule names, matched loosely: the program by its name alone, wherever it is located.
 * Options, with what may be their values, may precede each further word, and the rule's own options may appear anywhere after the
 * program.
 */
export function matchCommand(words: readonly ShellWord[], wanted: readonly string[]): CommandMatch {
  const found = new Set<CommandMatch>([matchWords(words, wanted)]);
  for (const { words: other, isSure } of sameActions(words, wanted[0] ?? '')) {
    const match = matchWords(other, wanted);
    found.add(match === 'yes' && !isSure ? 'maybe' : match);
  }
  if (wanted.length > 1 && programNameOf(wanted[0] ?? '') === 'git' && isAddedToGit(words)) found.add('maybe');
  if (found.has('yes')) return 'yes';
  return found.has('maybe') ? 'maybe' : 'no';
}

function matchWords(
  [program, ...words]: readonly ShellWord[],
  [wanted = '', ...begin]: readonly string[],
): CommandMatch {
  if (!program) return 'no';
  if (program.kind !== 'exact') return 'maybe';
  // A subcommand may be a separate program: `git-push`.
  const [subcommand = '', ...rest] = begin;
  if (/^\w/.test(subcommand) && programNameOf(program.text) === `${programNameOf(wanted)}-${subcommand}`)
    return matchWords([{ text: wanted, kind: 'exact' }, ...words], [wanted, ...rest]);
  if (program.text !== wanted && programNameOf(program.text) !== programNameOf(wanted)) return 'no';
  const abbreviates = /^(npm|hg)$/.test(programNameOf(wanted));
  const plain = matchInOrder(
    words,
    begin.filter((one) => !one.startsWith('-')),
    abbreviates,
  );
  const options = begin.filter((one) => one.startsWith('-')).map((one) => matchOption(words, one));
  const all = [plain, ...options];
  if (all.includes('no')) return 'no';
  return all.includes('maybe') ? 'maybe' : 'yes';
}

/** Returns true if one of the texts may start the command when it is executed. */
export function mentionsCommand(texts: readonly string[], words: readonly string[]): boolean {
  // Executing a text may remove quotes that are still in it.
  const unquoted = texts.map((text) => text.replaceAll(/["'\\]/g, ''));
  return [texts, unquoted].some((all) =>
    holdWords(all.flatMap((text) => text.split(/[^\p{L}\p{N}_.@%+-]+/u)).map(programNameOf), words),
  );
}

function holdWords(tokens: readonly string[], [wanted = '', ...begin]: readonly string[]): boolean {
  const name = programNameOf(wanted);
  const [plain, options] = [begin.filter((one) => !one.startsWith('-')), begin.filter((one) => one.startsWith('-'))];
  if (!options.every((option) => tokens.includes(option))) return false;
  let at = tokens.indexOf(name);
  return at !== -1 && plain.every((word) => (at = tokens.indexOf(word, at + 1)) !== -1);
}

function matchInOrder(words: readonly ShellWord[], begin: readonly string[], abbreviates: boolean): CommandMatch {
  let starts = new Set([0]);
  let isUnsure = false;
  for (const wanted of begin) {
    const next = new Set<number>();
    let isReached = false;
    for (const [at, { text, kind }] of words.entries()) {
      isReached ||= starts.has(at);
      if (!isReached) continue;
      if (kind !== 'exact') isUnsure = true;
      if (text === wanted) next.add(at + 1);
      else if (abbreviates && text !== '' && wanted.startsWith(text)) isUnsure = true;
      isReached = text.startsWith('-') || words[at - 1]?.text.startsWith('-') === true || kind !== 'exact';
    }
    if (next.size === 0) return isUnsure ? 'maybe' : 'no';
    starts = next;
  }
  return 'yes';
}

/** Options with several names: the letters that mean the same in the usual programs. */
const LETTERS: Readonly<Record<string, string>> = {
  '--force': 'f',
  '--recursive': 'rR',
  '--global': 'g',
  '--no-verify': 'n',
  '--delete': 'dD',
  '--all': 'aA',
  '--output': 'o',
  '--yes': 'y',
  '--volume': 'v',
  '--request': 'X',
  '--data': 'd',
  '--upload-file': 'T',
  '--interactive': 'i',
};
/** No one combines more letters than this in a rule; a longer word after one dash is a name. */
const MOST_LETTERS = 4;

function matchOption(words: readonly ShellWord[], option: string): CommandMatch {
  if (words.some(({ text }) => text === option || text.startsWith(`${option}=`))) return 'yes';
  const letters = /^-[a-zA-Z]+$/.test(option) ? Array.from(option.slice(1)) : [];
  const given = words.flatMap(({ text }) => (/^-[a-zA-Z]+$/.test(text) ? Array.from(text.slice(1)) : []));
  const isShort = letters.length > 0 && letters.length <= MOST_LETTERS;
  if (isShort && letters.every((letter) => given.includes(letter))) return 'yes';
  const isNamed = (letter: string) =>
    given.includes(letter) ||
    Object.entries(LETTERS).some(
      ([name, all]) => all.includes(letter) && words.some(({ text }) => isShortened(text, name)),
    );
  const isAlso = isShort ? letters.every(isNamed) : given.some((letter) => LETTERS[option]?.includes(letter));
  return isAlso || words.some(({ text, kind }) => kind !== 'exact' || isShortened(text, option)) ? 'maybe' : 'no';
}

/** Whether a word is a long option, or an abbreviation of it. */
function isShortened(text: string, option: string): boolean {
  const [name = ''] = text.split('=', 1);
  return name.startsWith('--') && name.length > 3 && option.startsWith(name);
}
