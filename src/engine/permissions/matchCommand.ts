import type { ShellWord } from './shell/shellPart';
import { programNameOf } from './shell/unwrapCommand';

export type CommandMatch = 'yes' | 'no' | 'maybe';

/**
 * Whether a command is the one that a rule names, matched loosely: the program by its name alone, wherever it is located.
 * Options, with what may be their values, may precede each further word, and the rule's own options may appear anywhere after the
 * program.
 */
export function matchCommand(
  [program, ...words]: readonly ShellWord[],
  [wanted = '', ...begin]: readonly string[],
): CommandMatch {
  if (!program) return 'no';
  if (program.kind !== 'exact') return 'maybe';
  // A subcommand may be a separate program: `git-push`.
  const [subcommand = '', ...rest] = begin;
  if (/^\w/.test(subcommand) && programNameOf(program.text) === `${programNameOf(wanted)}-${subcommand}`)
    return matchCommand([{ text: wanted, kind: 'exact' }, ...words], [wanted, ...rest]);
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

function matchOption(words: readonly ShellWord[], option: string): CommandMatch {
  const letter = /^-[a-zA-Z]$/.test(option) ? option.charAt(1) : null;
  const isIt = ({ text }: ShellWord) =>
    text === option ||
    text.startsWith(`${option}=`) ||
    (letter !== null && /^-[a-zA-Z]+$/.test(text) && text.includes(letter));
  if (words.some(isIt)) return 'yes';
  const isShortened = ({ text }: ShellWord) => text.startsWith('--') && text.length > 3 && option.startsWith(text);
  return words.some((word) => word.kind !== 'exact' || isShortened(word)) ? 'maybe' : 'no';
}
