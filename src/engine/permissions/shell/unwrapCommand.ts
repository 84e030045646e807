import type { ShellPart, ShellWord } from './shellPart';

/** A command whose arguments are another command. */
interface CommandWrapper {
  /** Options without a value. */
  flags: RegExp;
  /** Options that take the next word, or the rest of the same one, as their value. */
  valued: readonly string[];
  /** The number of words before the command that belong to the wrapper. */
  operands: number;
  /** Accepts `NAME=value` before the command. */
  assigns?: boolean;
  /** Options that name the folder in which the command runs. */
  moves?: readonly string[];
  /** Why a rule for the inner command is not enough, as a sentence. */
  caution?: string;
}

export interface UnwrappedCommand {
  /** The words from the outermost wrapper to the command itself, which comes last. */
  layers: readonly (readonly ShellWord[])[];
  /** `NAME=value` passed to wrappers. */
  assignments: readonly ShellWord[];
  /** Sentences with reasons against a rule for the innermost words. */
  cautions: readonly string[];
  /** Sentences that say why the innermost words may differ from what they seem. */
  obscure: readonly string[];
  /** True if a wrapper runs the command in another folder. */
  moved: boolean;
}

const MAX_LAYERS = 10;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** Removes `sudo`, `env`, `timeout`, `xargs` and the like from a command. */
export function unwrapCommand(words: readonly ShellWord[]): UnwrappedCommand {
  const layers = [words];
  const assignments: ShellWord[] = [];
  const cautions: string[] = [];
  const obscure: string[] = [];
  let moved = false;
  for (let current = words; ;) {
    const inner = innerOf(current);
    if (!inner) return { layers, assignments, cautions, obscure, moved };
    moved ||= inner.moved;
    assignments.push(...inner.assignments);
    cautions.push(...inner.cautions);
    obscure.push(...inner.obscure);
    if (inner.words.length === 0) return { layers, assignments, cautions, obscure, moved };
    if (layers.length >= MAX_LAYERS) {
      cautions.push('It is wrapped in too many other commands.');
      obscure.push('It is wrapped in too many other commands.');
      return { layers, assignments, cautions, obscure, moved };
    }
    layers.push(inner.words);
    current = inner.words;
  }
}

/** Returns a part as if its command were called directly: `time read x` sets a variable like `read x`. */
export function withoutWrappers(part: ShellPart): ShellPart {
  const { layers, assignments } = unwrapCommand(part.words);
  return layers.length > 1
    ? { ...part, assignments: [...part.assignments, ...assignments], words: layers.at(-1) ?? [] }
    : part;
}

/** No system allows a longer name. */
const MAX_NAME = 300;
/** Names by word: while a command is judged, its words are looked at many times. */
const names = new Map<string, string>();
const MOST_NAMES = 500;

/**
 * Returns the name of a program, without its folder and its Windows extension. If the word is too long for a name, only its end
 * is read.
 */
export function programNameOf(word: string): string {
  const end = word.length > MAX_NAME ? word.slice(-MAX_NAME) : word;
  const known = names.get(end);
  if (known !== undefined) return known;
  const last = end.slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\')) + 1).toLowerCase();
  const name = last.includes('.') ? last.replace(/\.(exe|cmd|bat|com)$/, '') : last;
  if (names.size === MOST_NAMES) names.clear();
  names.set(end, name);
  return name;
}

export function programName(word: ShellWord | undefined): string {
  return programNameOf(word?.text ?? '');
}

/** A folder in which only an administrator installs programs. */
const SYSTEM_FOLDER = /^\/(usr\/(local\/)?)?s?bin\/[^/]+$/;

/** Returns true for a program that is called by its location, so that it may be anything, whatever its name. */
export function liesElsewhere({ text }: ShellWord): boolean {
  return /[\\/]/.test(text) && !SYSTEM_FOLDER.test(text);
}

interface Inner {
  words: readonly ShellWord[];
  assignments: readonly ShellWord[];
  cautions: readonly string[];
  obscure: readonly string[];
  moved: boolean;
}

function innerOf(words: readonly ShellWord[]): Inner | undefined {
  const name = programName(words[0]);
  const wrapper = Object.hasOwn(COMMAND_WRAPPERS, name) ? COMMAND_WRAPPERS[name] : undefined;
  if (!wrapper) return undefined;
  // `command -v ls` only looks up where it is.
  if (name === 'command' && /^-[vV]+$/.test(words[1]?.text ?? '')) return undefined;
  const cautions = wrapper.caution === undefined ? [] : [wrapper.caution];
  const [program] = words;
  if (program && liesElsewhere(program)) cautions.push(`“${program.text}” may be any program.`);
  const options = skipOptions(words, wrapper);
  const unknown = options.known ? [] : [`${name} is given an unknown option.`];
  cautions.push(...unknown);
  if (options.moved) cautions.push('It runs in another folder.');
  let at = options.next;
  const assignments: ShellWord[] = [];
  while (wrapper.assigns && ASSIGNMENT.test(words[at]?.text ?? '')) assignments.push(...words.slice(at, ++at));
  const inner = words.slice(at + wrapper.operands);
  const added: readonly ShellWord[] = name === 'xargs' ? xargsWords(words, inner) : inner;
  return { words: added, assignments, cautions, obscure: unknown, moved: options.moved };
}

/** What xargs reads is appended to its words, or put where they say. */
function xargsWords(words: readonly ShellWord[], inner: readonly ShellWord[]): readonly ShellWord[] {
  const own = words.slice(0, words.length - inner.length);
  const marks = own.flatMap(({ text }, at) => {
    const [, upper] = /^-[a-zA-Z0-9]*?I(.*)$/s.exec(text) ?? [];
    if (upper !== undefined) return [upper === '' ? (words[at + 1]?.text ?? '') : upper];
    const [, other] = /^(?:-[a-zA-Z0-9]*?i|--rep[a-z]*=?)(.*)$/s.exec(text) ?? [];
    return other === undefined ? [] : [other === '' ? '{}' : other];
  });
  if (marks.length === 0) return inner.length > 0 ? [...inner, { text: '…', kind: 'unknown' }] : inner;
  return inner.map((word) => {
    const marked = marks.filter((mark) => mark !== '' && word.text.includes(mark));
    return marked.length === 0
      ? word
      : { text: marked.reduce((text, mark) => text.replaceAll(mark, '…'), word.text), kind: 'unknown' };
  });
}

/** Returns where the options end. */
function skipOptions(
  words: readonly ShellWord[],
  { flags, valued: others, moves = [] }: CommandWrapper,
): { next: number; known: boolean; moved: boolean } {
  const valued = [...others, ...moves];
  let [known, moved] = [true, false];
  let at = 1;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? '';
    if (text === '--') return { next: at + 1, known, moved };
    if (!text.startsWith('-')) break;
    if (flags.test(text)) continue;
    const isShort = (option: string) => isShortened(text, option);
    moved ||= moves.some((option) => text.startsWith(option) || isShort(option));
    if (valued.includes(text)) at++;
    else if (!valued.some((option) => text.startsWith(option.startsWith('--') ? `${option}=` : option))) known = false;
    // An abbreviated option also takes the next word.
    if (!valued.includes(text) && !text.includes('=') && valued.some(isShort)) at++;
  }
  return { next: Math.min(at, words.length), known, moved };
}

/** Returns true for an abbreviated long option, as GNU programs accept it. */
function isShortened(text: string, option: string): boolean {
  const [name = ''] = text.split('=', 1);
  return name.length > 2 && name.startsWith('--') && option !== name && option.startsWith(name);
}

const NONE = /^$/;
const AS_ANOTHER = 'It runs a command as another user.';
const RUNS_APPLETS = 'It runs other commands.';

/** By program name. */
const COMMAND_WRAPPERS: Readonly<Record<string, CommandWrapper>> = {
  sudo: {
    flags: /^(-[AbEHKknPSis]+|--(background|preserve-env|set-home|non-interactive|stdin|login|shell))$/,
    valued: ['-u', '-g', '-h', '-p', '-C', '-T', '-r', '-t', '-U', '--user', '--group', '--host'],
    moves: ['-D', '-R', '--chdir', '--chroot'],
    operands: 0,
    assigns: true,
    caution: AS_ANOTHER,
  },
  doas: { flags: /^-[nsL]+$/, valued: ['-u', '-C'], operands: 0, caution: AS_ANOTHER },
  env: {
    flags: /^(-|-[i0v]+|--(ignore-environment|null))$/,
    valued: ['-u', '--unset'],
    moves: ['-C', '--chdir'],
    operands: 0,
    assigns: true,
  },
  // Of cmd.
  call: { flags: NONE, valued: [], operands: 0, caution: RUNS_APPLETS },
  busybox: { flags: NONE, valued: [], operands: 0, caution: RUNS_APPLETS },
  toybox: { flags: NONE, valued: [], operands: 0, caution: RUNS_APPLETS },
  timeout: {
    flags: /^(-v|--(preserve-status|foreground|verbose))$/,
    valued: ['-k', '-s', '--kill-after', '--signal'],
    operands: 1,
  },
  gtimeout: { flags: /^--(preserve-status|foreground)$/, valued: ['-k', '-s'], operands: 1 },
  nohup: { flags: NONE, valued: [], operands: 0 },
  // After `time`, it still negates the result.
  '!': { flags: NONE, valued: [], operands: 0 },
  time: { flags: /^-[pv]+$/, valued: [], operands: 0, assigns: true },
  command: { flags: /^-p$/, valued: [], operands: 0 },
  '-': { flags: NONE, valued: [], operands: 0 },
  noglob: { flags: NONE, valued: [], operands: 0 },
  builtin: { flags: NONE, valued: [], operands: 0 },
  exec: { flags: /^-[cl]+$/, valued: ['-a'], operands: 0 },
  nice: { flags: /^-\d+$/, valued: ['-n', '--adjustment'], operands: 0 },
  ionice: { flags: /^-t$/, valued: ['-c', '-n', '--class', '--classdata'], operands: 0 },
  stdbuf: { flags: NONE, valued: ['-i', '-o', '-e', '--input', '--output', '--error'], operands: 0 },
  setsid: { flags: /^-[cfw]+$/, valued: [], operands: 0 },
  xargs: {
    flags: /^(-[0prtx]+|--(null|no-run-if-empty|verbose|exit))$/,
    valued: ['-I', '-n', '-P', '-L', '-d', '-E', '-s', '-a', '--max-args', '--max-procs', '--delimiter', '--arg-file'],
    operands: 0,
    caution: 'xargs passes the command words that are not known in advance.',
  },
};
