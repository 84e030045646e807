import type { ShellWord } from './shellPart';

/** A command whose arguments are another command. */
interface CommandWrapper {
  /** Options without a value. */
  flags: RegExp;
  /** Options that take the next word, or the rest of their own. */
  valued: readonly string[];
  /** Words before the command that are its own. */
  operands: number;
  /** Takes `NAME=value` before the command. */
  assigns?: boolean;
  /** Why a rule for the inner command is not enough, as a sentence. */
  caution?: string;
}

export interface UnwrappedCommand {
  /** The words from the outermost wrapper to the command itself, which is the last. */
  layers: readonly (readonly ShellWord[])[];
  /** `NAME=value` that wrappers were given. */
  assignments: readonly ShellWord[];
  /** Sentences that speak against a rule for the innermost words. */
  cautions: readonly string[];
  /** Sentences that say why the innermost words may be others than they seem. */
  obscure: readonly string[];
}

const MAX_LAYERS = 10;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;

/** Takes `sudo`, `env`, `timeout`, `xargs` and their like off a command. */
export function unwrapCommand(words: readonly ShellWord[]): UnwrappedCommand {
  const layers = [words];
  const assignments: ShellWord[] = [];
  const cautions: string[] = [];
  const obscure: string[] = [];
  for (let current = words; ;) {
    const inner = innerOf(current);
    if (!inner) return { layers, assignments, cautions, obscure };
    assignments.push(...inner.assignments);
    cautions.push(...inner.cautions);
    obscure.push(...inner.obscure);
    if (inner.words.length === 0) return { layers, assignments, cautions, obscure };
    if (layers.length >= MAX_LAYERS) {
      cautions.push('It is wrapped in too many other commands.');
      obscure.push('It is wrapped in too many other commands.');
      return { layers, assignments, cautions, obscure };
    }
    layers.push(inner.words);
    current = inner.words;
  }
}

/** The name of a program, without its folder and the ending that Windows gives it. */
export function programNameOf(word: string): string {
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1).toLowerCase();
  return name.includes('.') ? name.replace(/\.(exe|cmd|bat|com)$/, '') : name;
}

export function programName(word: ShellWord | undefined): string {
  return programNameOf(word?.text ?? '');
}

interface Inner {
  words: readonly ShellWord[];
  assignments: readonly ShellWord[];
  cautions: readonly string[];
  obscure: readonly string[];
}

function innerOf(words: readonly ShellWord[]): Inner | undefined {
  const name = programName(words[0]);
  const wrapper = Object.hasOwn(COMMAND_WRAPPERS, name) ? COMMAND_WRAPPERS[name] : undefined;
  if (!wrapper) return undefined;
  // `command -v ls` only looks where it is.
  if (name === 'command' && /^-[vV]+$/.test(words[1]?.text ?? '')) return undefined;
  const cautions = wrapper.caution === undefined ? [] : [wrapper.caution];
  const options = skipOptions(words, wrapper);
  const unknown = options.known ? [] : [`${name} is given an option that is not known here.`];
  cautions.push(...unknown);
  let at = options.next;
  const assignments: ShellWord[] = [];
  while (wrapper.assigns && ASSIGNMENT.test(words[at]?.text ?? '')) assignments.push(...words.slice(at, ++at));
  const inner = words.slice(at + wrapper.operands);
  const added: readonly ShellWord[] = name === 'xargs' ? xargsWords(words, inner) : inner;
  return { words: added, assignments, cautions, obscure: unknown };
}

/** What xargs reads stands behind the words that it is given, or where they say. */
function xargsWords(words: readonly ShellWord[], inner: readonly ShellWord[]): readonly ShellWord[] {
  const marks = words.flatMap(({ text }, at) => {
    const glued = /^-[a-zA-Z0-9]*?I(.*)$/s.exec(text)?.[1];
    return glued === undefined ? [] : [glued === '' ? (words[at + 1]?.text ?? '') : glued];
  });
  if (marks.length === 0) return inner.length > 0 ? [...inner, { text: '…', kind: 'unknown' }] : inner;
  return inner.map((word) => (marks.some((mark) => word.text.includes(mark)) ? { ...word, kind: 'unknown' } : word));
}

/** Where the options end. */
function skipOptions(words: readonly ShellWord[], { flags, valued }: CommandWrapper): { next: number; known: boolean } {
  let known = true;
  let at = 1;
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? '';
    if (text === '--') return { next: at + 1, known };
    if (!text.startsWith('-')) break;
    if (flags.test(text)) continue;
    if (valued.includes(text)) at++;
    else if (!valued.some((option) => text.startsWith(option.startsWith('--') ? `${option}=` : option))) known = false;
  }
  return { next: Math.min(at, words.length), known };
}

const NONE = /^$/;
const AS_ANOTHER = 'It runs a command as another user.';

/** By the name of the program. */
const COMMAND_WRAPPERS: Readonly<Record<string, CommandWrapper>> = {
  sudo: {
    flags: /^(-[AbEHKknPSis]+|--(background|preserve-env|set-home|non-interactive|stdin|login|shell))$/,
    valued: [
      '-u',
      '-g',
      '-h',
      '-p',
      '-C',
      '-T',
      '-r',
      '-t',
      '-D',
      '-R',
      '-U',
      '--user',
      '--group',
      '--host',
      '--chdir',
    ],
    operands: 0,
    assigns: true,
    caution: AS_ANOTHER,
  },
  doas: { flags: /^-[nsL]+$/, valued: ['-u', '-C'], operands: 0, caution: AS_ANOTHER },
  env: { flags: /^(-|-[i0v]+|--(ignore-environment|null))$/, valued: ['-u', '--unset'], operands: 0, assigns: true },
  timeout: {
    flags: /^(-v|--(preserve-status|foreground|verbose))$/,
    valued: ['-k', '-s', '--kill-after', '--signal'],
    operands: 1,
  },
  gtimeout: { flags: /^--(preserve-status|foreground)$/, valued: ['-k', '-s'], operands: 1 },
  nohup: { flags: NONE, valued: [], operands: 0 },
  // Behind `time` it still turns the result around.
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
    caution: 'xargs gives the command words that are not known beforehand.',
  },
};
