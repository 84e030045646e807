import type { ShellPart, ShellWord } from './shellPart';
import { programName } from './unwrapCommand';

/** The parts of a command's text or words that it runs in turn. */
export interface InnerScripts {
  /** Shell lines. */
  lines: readonly string[];
  /** Commands, as words. */
  commands: readonly (readonly ShellWord[])[];
  /** The reason why it is uncertain what it runs, as a sentence; null if it is certain. */
  obscure: string | null;
}

const NOTHING: InnerScripts = { lines: [], commands: [], obscure: null };
export const NO_SCRIPTS = NOTHING;
const UNKNOWN_TEXT: InnerScripts = { ...NOTHING, obscure: 'It runs text that only the shell knows.' };
const UNKNOWN_INPUT: InnerScripts = { ...NOTHING, obscure: 'It runs whatever it receives.' };
export const SHELL = /^((ba|da|k|z|a|mk|ya|ok|lk|po)?sh|rbash|c?sh|tcsh)$/;
/** Options before a shell's script; a letter that takes the next word may only be the last one. */
const KNOWN_OPTION =
  /^([-+][a-zA-Z]*|--(rcfile|init-file|norc|noprofile|login|posix|verbose|restricted|noediting|version|help|no-rcs|no-globalrcs))$(?<![-+][a-zA-Z]*[oO][a-zA-Z]+)/;
export const INTERPRETER = /^(node|nodejs|python[\d.]*|pypy3?|perl|ruby|php|lua|deno|bun)$/;
/** Builtins that change what the names of later commands mean. */
const RENAMES =
  /^(alias|enable|hash|complete|shopt|set|setopt|mapfile|readarray|bind|fc|zmodload|autoload|functions|emulate|compgen|sched|zpty|zle|bindkey|set-alias|sal|new-alias|nal)$/;

/** Returns what `sh -c`, `eval`, `find -exec` and the like run. */
export function innerScripts(words: readonly ShellWord[], part: Pick<ShellPart, 'inputs'>): InnerScripts {
  const [program, ...rest] = words;
  if (!program) return NOTHING;
  if (program.kind !== 'exact' || program.text.startsWith('=')) {
    return { ...NOTHING, obscure: `The program “${program.text}” cannot be determined in advance.` };
  }
  const name = programName(program);
  if (SHELL.test(name)) return shellScript(rest, part);
  if (name === 'eval') return scriptOf(rest);
  if (WINDOWS_SHELL.test(name)) return windowsScript(name, rest);
  if (name === 'trap') return trapped(rest[0]?.text === '--' ? rest.slice(1) : rest);
  if (/^(source|\.)$/.test(name))
    return rest[0] && isFile(rest[0]) ? NOTHING : (givenScript(rest[0], part) ?? UNKNOWN_TEXT);
  if (/^g?find$/.test(name)) return { ...NOTHING, commands: foundCommands(rest) };
  if (name === 'env') return splitStrings(rest);
  if (RENAMES.test(name) && !isPlainSet(name, rest))
    return { ...NOTHING, obscure: 'It changes what later commands mean.' };
  if (INTERPRETER.test(name) && runsInput(rest[0]?.text === 'run' ? rest.slice(1) : rest)) return UNKNOWN_INPUT;
  return NOTHING;
}

/** Returns true for a shell or an interpreter that runs its standard input. */
export function runsPiped(scripts: InnerScripts): boolean {
  return scripts === UNKNOWN_INPUT;
}

/** Windows programs that are given a command line, or a program with its arguments. */
const WINDOWS_SHELL = /^(powershell|pwsh|cmd|invoke-expression|iex|start-process|saps|start|forfiles)$/;
/** Options before the text, which may be abbreviated. */
const BEFORE_TEXT: Readonly<Record<string, RegExp>> = {
  powershell: /^[-/]c(o\w*)?$/i,
  pwsh: /^[-/]c(o\w*)?$/i,
  cmd: /^\/[ckr]$/i,
  forfiles: /^\/c$/i,
};
const ENCODED = /^[-/]e(c|nc?|nco\w*)?$/i;

function windowsScript(name: string, words: readonly ShellWord[]): InnerScripts {
  const before = BEFORE_TEXT[name];
  const coded = before && name !== 'cmd' ? words.findIndex(({ text }) => ENCODED.test(text)) : -1;
  if (coded !== -1) {
    const line = decoded(words[coded + 1]?.text ?? '');
    return { ...UNKNOWN_TEXT, lines: line === null ? [] : [line] };
  }
  const at = before ? words.findIndex(({ text }) => before.test(text)) : -1;
  if (before && at === -1) return NOTHING;
  // Parameter names come between the program and its arguments.
  const given = before ? words.slice(at + 1) : words.filter(({ text }) => !/^(-[a-z]+|\/[a-z]+)$/i.test(text));
  if (given.length === 0) return NOTHING;
  const line = given.map(({ text }) => text.replaceAll(/^['"]|['"]$/g, '')).join(' ');
  return {
    ...NOTHING,
    lines: [line],
    obscure: given.some(({ kind }) => kind !== 'exact') ? UNKNOWN_TEXT.obscure : null,
  };
}

/** Returns the text that PowerShell is given as Base64-encoded UTF-16; null if it is not valid. */
function decoded(text: string): string | null {
  if (!/^[\w+/]{4,}=*$/.test(text)) return null;
  try {
    return atob(text).replaceAll('\0', '');
  } catch {
    return null;
  }
}

function trapped(words: readonly ShellWord[]): InnerScripts {
  return words.length > 1 || words[0]?.text.startsWith('-') !== true ? scriptOf(words.slice(0, 1)) : NOTHING;
}

/** `set -e` and the like only affect how the line continues. */
function isPlainSet(name: string, rest: readonly ShellWord[]): boolean {
  const plain = /^([-+][euxo]+|pipefail|errexit|nounset|xtrace)$/;
  return name === 'set' && rest.length > 0 && rest.every(({ text, kind }) => kind === 'exact' && plain.test(text));
}

function scriptOf(words: readonly ShellWord[]): InnerScripts {
  if (words.some(({ kind }) => kind !== 'exact')) return UNKNOWN_TEXT;
  const line = words.map(({ text }) => text).join(' ');
  return { ...NOTHING, lines: [line.replace(/^\s*--\s/, '')] };
}

function shellScript(words: readonly ShellWord[], { inputs }: Pick<ShellPart, 'inputs'>): InnerScripts {
  let [isText, readsInput] = [false, false];
  let at = 0;
  for (; at < words.length; at++) {
    const { text = '', kind } = words[at] ?? {};
    if (kind !== 'exact') return UNKNOWN_TEXT;
    if (text === '--' || text === '-') {
      at++;
      break;
    }
    if (!/^[-+]/.test(text)) break;
    // The shell decides which word is the text then.
    if (!KNOWN_OPTION.test(text)) return UNKNOWN_TEXT;
    if (/^[-+][a-zA-Z]*c/.test(text)) isText = true;
    if (/^-[a-zA-Z]*s/.test(text)) readsInput = true;
    if (/^([-+][a-zA-Z]*[oO]|--rcfile|--init-file)$/.test(text)) at++;
  }
  const operand = readsInput && !isText ? undefined : words[at];
  if (operand && isText) return scriptOf([operand]);
  if (operand && isFile(operand)) return NOTHING;
  return givenScript(operand, { inputs }) ?? UNKNOWN_INPUT;
}

const IS_INPUT = /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

/** Returns the text that a shell receives on its input, if any; undefined if that is not text of the line. */
function givenScript(operand: ShellWord | undefined, { inputs }: Pick<ShellPart, 'inputs'>): InnerScripts | undefined {
  if (inputs.length === 0 || (operand && !IS_INPUT.test(operand.text))) return undefined;
  if (inputs.some(({ kind }) => kind !== 'exact')) return UNKNOWN_TEXT;
  return { ...NOTHING, lines: inputs.map(({ text }) => text) };
}

/** Whether the word is a real file rather than piped input. */
function isFile({ text, kind }: ShellWord): boolean {
  return kind === 'exact' && text !== '-' && !/^\/(dev|proc)\//.test(text);
}

function runsInput(words: readonly ShellWord[]): boolean {
  const operand = words.find(({ text }) => !text.startsWith('-') || text === '-');
  const isAsked = words.length === 1 && /^(-[vVh]|--(version|help|test))$/.test(words[0]?.text ?? '');
  return !isAsked && (!operand || !isFile(operand));
}

/** Returns the command after each `-exec`; the names of the files are unknown in advance. */
export function foundCommands(words: readonly ShellWord[]): (readonly ShellWord[])[] {
  const commands: ShellWord[][] = [];
  let current: ShellWord[] | null = null;
  for (const [at, word] of words.entries()) {
    const ends = word.text === ';' || (word.text === '+' && words[at - 1]?.text === '{}');
    if (current && ends) current = null;
    else if (current) current.push(word.text.includes('{}') ? { ...word, kind: 'unknown' } : word);
    else if (/^-(exec|ok)(dir)?$/.test(word.text)) commands.push((current = []));
  }
  return commands;
}

function splitStrings(words: readonly ShellWord[]): InnerScripts {
  for (const [at, { text }] of words.entries()) {
    const glued = /^(?:-[a-zA-Z]*S|--s[a-z-]*=)([\s\S]+)$/.exec(text)?.[1];
    if (glued !== undefined) return scriptOf([{ text: glued, kind: 'exact' }, ...words.slice(at + 1)]);
    if (/^(-[a-zA-Z]*S|--s[a-z-]*)$/.test(text)) return scriptOf(words.slice(at + 1));
  }
  return NOTHING;
}
