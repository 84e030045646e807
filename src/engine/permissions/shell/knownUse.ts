import { HARMLESS_CALLS, type HarmlessCall, SAME_CALLS } from './harmlessCalls';
import type { ShellWord } from './shellPart';
import { liesElsewhere, programName } from './unwrapCommand';

/** The facts known about a particular call of a program. */
interface KnownUse {
  /** The reason why the call may not be harmless although the program is known, as a sentence. */
  caution: string | null;
  /** True if all of its arguments are known to be harmless, beyond what its name says. */
  harmless: boolean;
  /** True if it also runs nothing of what it is given or of what the workspace contains. */
  inert: boolean;
  /** True if none of its options is harmful. */
  anyOption: boolean;
  /** The number of words that identify what is run. */
  named: number;
}

interface Given {
  options: readonly string[];
  operands: readonly string[];
  /** The first unknown option. */
  unknown: string | null;
  /** Whether the program passes on what follows, after `--` or a script. */
  handsOn: boolean;
  values: ReadonlyMap<string, readonly string[]>;
}

const UNKNOWN: KnownUse = { caution: null, harmless: false, inert: false, anyOption: false, named: 1 };
/** Programs whose options must be known whatever the subcommand is. */
const FAMILIES = new Set(
  Object.keys(HARMLESS_CALLS).flatMap((key) => (key.includes(' ') ? [key.split(' ')[0] ?? ''] : [])),
);
/** Options before the subcommand. */
const GIT_BEFORE: HarmlessCall = { flags: '-P --no-pager --no-optional-locks --literal-pathspecs', valued: '-C' };
/** Inside the workspace, and neither an option nor a setting. */
const PLAIN_OPERAND = /^(?!.*\.\.)[\w@.][\w./:@-]*$/;

/** Each command is looked up several times while it is judged. */
const known = new WeakMap<readonly ShellWord[], KnownUse>();

/** Looks up a command without its wrappers. */
export function knownUse(words: readonly ShellWord[]): KnownUse {
  const use = known.get(words) ?? lookUp(words);
  known.set(words, use);
  return use;
}

function lookUp(words: readonly ShellWord[]): KnownUse {
  const [program, ...rest] = words;
  const name = programName(program).replace(/(?<=[a-z])[\d.]+$/, '');
  const before = name === 'git' ? optionsBefore(rest) : 0;
  const subcommand = rest[before]?.text ?? '';
  const key = keyOf(`${name} ${subcommand}`) ?? keyOf(programName(program)) ?? keyOf(name);
  if (key === undefined) return FAMILIES.has(name) ? ofFamily(name, rest) : UNKNOWN;
  const call = HARMLESS_CALLS[key] ?? {};
  const named = key.split(' ').length;
  const given = read(name, call, rest.slice(before + named - 1));
  const globals = before > 0 ? read(name, GIT_BEFORE, rest.slice(0, before)) : null;
  const caution = cautionOf(name, call, given) ?? (globals ? cautionOf(name, GIT_BEFORE, globals) : null);
  const plain = !call.carries || given.operands.every((one) => PLAIN_OPERAND.test(one));
  const short = call.script ? rest.length === 1 : true;
  const inHome = words.some(({ text, kind }) => kind !== 'exact' && text.startsWith('~'));
  const harmless = caution === null && before === 0 && !given.handsOn && plain && short && !inHome && !call.exactOnly;
  const count = call.script ? 2 : (call.named ?? named);
  // An option in place of the name of what is run would leave that name open.
  const isNamed = words.slice(1, count).every(({ text }) => !text.startsWith('-'));
  const isOne = !call.runsOperands || given.operands.length <= 1;
  return {
    caution,
    harmless: harmless && isNamed && isOne,
    inert: harmless && !call.carries && !!program && !liesElsewhere(program),
    anyOption: call.flags === '*',
    named: count,
  };
}

function keyOf(name: string): string | undefined {
  const key = Object.hasOwn(SAME_CALLS, name) ? (SAME_CALLS[name] ?? name) : name;
  return Object.hasOwn(HARMLESS_CALLS, key) ? key : undefined;
}

function ofFamily(name: string, rest: readonly ShellWord[]): KnownUse {
  const dashes = rest.findIndex(({ text }) => text === '--');
  const option = rest.slice(0, dashes === -1 ? undefined : dashes).find(({ text }) => text.startsWith('-'));
  if (!option || /^(--version|--help|-v)$/.test(option.text)) return UNKNOWN;
  return { ...UNKNOWN, caution: `It is not known whether ${name} is harmless with “${option.text}”.` };
}

function optionsBefore(words: readonly ShellWord[]): number {
  let at = 0;
  while (words[at]?.text.startsWith('-')) at += /^-[Cc]$/.test(words[at]?.text ?? '') ? 2 : 1;
  return Math.min(at, words.length);
}

function cautionOf(name: string, call: HarmlessCall, given: Given): string | null {
  const { unknown, operands, options } = given;
  if (unknown !== null) return `It is not known whether ${name} is harmless with “${unknown}”.`;
  const strange = call.operand && operands.find((one) => !call.operand?.test(one));
  if (strange !== undefined) return `It is not known whether ${name} is harmless with “${strange}”.`;
  if (call.most !== undefined && operands.length > call.most) return `It is given more than ${name} needs for reading.`;
  if (call.script && isProgramToShell(name, operands[0] ?? ''))
    return 'A shell may run a program of that name as its script.';
  if (call.script && !isScript(given) && !options.some((one) => /^(--test|--?version|-[vV])$/.test(one)))
    return 'It runs whatever it receives.';
  const values = [...given.values.values()].flat();
  if (values.some((value) => value.startsWith('@'))) return 'It sends a file.';
  if (name === 'curl' && values.some((value) => value.includes('%output'))) return 'It writes a file.';
  const isText = (value: string) => (given.values.has('-m') && RUNS_TEXT.test(value)) || /^data:/i.test(value);
  if (call.script && values.some(isText)) return 'It runs whatever it receives.';
  return scriptCaution(name, given);
}

/** A shell also looks for a script among the programs, so a bare name may be one of them. */
function isProgramToShell(name: string, script: string): boolean {
  return /^(\.|source|\w*sh)$/.test(name) && /^[^-./][^./]*$/.test(script);
}

function isScript({ operands, values }: Given): boolean {
  if (values.has('-m')) return true;
  const [script] = operands;
  return script !== undefined && script !== '-' && !/^\/(dev|proc)\//.test(script);
}

function scriptCaution(name: string, { operands, values }: Given): string | null {
  const written = [...(values.get('-e') ?? []), ...(values.get('--expression') ?? [])];
  const [first = ''] = operands;
  const plain = /^g?sed$/.test(name)
    ? (written.length > 0 ? written : [first]).every(isPlainSed)
    : !/^[gmn]?awk$/.test(name) || isPlainAwk(first);
  return plain ? null : 'Its script may write files or run commands.';
}

/** Parses the arguments of a call, based on the known options. */
function read(name: string, call: HarmlessCall, words: readonly ShellWord[]): Given {
  const flags = new Set(call.flags?.split(' '));
  const valued = new Set(call.valued?.split(' '));
  const options: string[] = [];
  const operands: string[] = [];
  const values = new Map<string, string[]>();
  let unknown: string | null = null;
  let handsOn = false;
  const given = words.map(({ text }) => text);
  const texts = /tar$/.test(name) && given[0]?.startsWith('-') === false ? unbundled(given, valued) : given;
  for (let at = 0; at < texts.length; at++) {
    const text = texts[at] ?? '';
    if (text === '--') {
      handsOn ||= call.carries === true && at + 1 < texts.length;
      if (!handsOn) operands.push(...texts.slice(at + 1));
      break;
    }
    if (!isOption(text, call)) {
      operands.push(text);
      if (!call.script) continue;
      handsOn = at + 1 < texts.length;
      break;
    }
    options.push(text);
    if (flags.has('*') || flags.has(text) || (flags.has('-NUM') && /^-\d+$/.test(text))) continue;
    const found = valueOf(text, flags, valued, call.long === true);
    if (!found) unknown ??= text;
    else if (found.option !== null) {
      const value = found.value ?? texts[++at] ?? '';
      values.set(found.option, [...(values.get(found.option) ?? []), value]);
    }
  }
  return { options, operands, unknown, handsOn, values };
}

/** `tar cfI a b` is `tar -c -f a -I b`: the values follow all letters, in the same order. */
function unbundled([bundle = '', ...texts]: readonly string[], valued: ReadonlySet<string>): readonly string[] {
  let next = 0;
  const options = Array.from(bundle, (letter) => `-${letter}`).flatMap((option) =>
    valued.has(option) ? [option, texts[next++] ?? ''] : [option],
  );
  return [...options, ...texts.slice(next)];
}

/** Python modules that run text, or programs that they are given. */
const RUNS_TEXT = /^(timeit|pdb|code|cProfile|profile|trace|runpy|asyncio)$/;

function isOption(text: string, { long }: HarmlessCall): boolean {
  return text.length > 1 && (text.startsWith('-') || (text.startsWith('+') && !long));
}

/**
 * Returns the option that takes a value, with the value if it is in the same word. The option is null if all letters are flags;
 * returns undefined for an unknown option.
 */
function valueOf(
  text: string,
  flags: ReadonlySet<string>,
  valued: ReadonlySet<string>,
  long: boolean,
): { option: string | null; value?: string } | undefined {
  if (valued.has(text)) return { option: text };
  const equals = text.indexOf('=');
  if ((long || text.startsWith('--')) && equals !== -1) {
    const option = text.slice(0, equals);
    return valued.has(option) ? { option, value: text.slice(equals + 1) } : undefined;
  }
  if (long || text.startsWith('--') || text.startsWith('+')) return undefined;
  for (let at = 1; at < text.length; at++) {
    const letter = `-${text.charAt(at)}`;
    if (valued.has(letter))
      return at + 1 < text.length ? { option: letter, value: text.slice(at + 1) } : { option: letter };
    if (!flags.has(letter)) return undefined;
  }
  return { option: null };
}

const MAX_PROGRAM = 1000;
/** Code that starts programs, writes, reads what the line does not name, or loads more program text. */
const REACHES_OUT = /system|getline|close|fflush|ARGV|ARGC|@|\\\r?\n/;
/** One token of a program. An expression between slashes is matched separately, where one may begin. */
const TOKEN = /\s+|#[^\n]*|"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\d[\w.]*|\+\+|--|\|\||[<>=!]=|[^"#\\]/y;
const EXPRESSION = /\/(?!=)((?:[^/\\\n]|\\.)*)\//y;
/** Words that cannot end a value. */
const BEFORE_VALUE = /^(print|printf|return|in|case|else|do|exit|delete)$/;
const OPERATOR = /^([{;,(!~?:=+*%^<>&-]|\|\||[<>=!]=)$/;

/**
 * Returns true for an awk program that neither starts programs nor writes files: it only prints to its output. If a slash may be
 * a division or begin an expression, depending on the awk, the program does not count as plain.
 */
function isPlainAwk(program: string): boolean {
  if (program.length > MAX_PROGRAM || REACHES_OUT.test(program)) return false;
  const code = codeOf(program);
  return code !== undefined && !code.replaceAll('||', '').includes('|') && !/\bprintf?\b[^;}]*>/.test(code);
}

/** Returns the program without the contents of its strings, expressions and comments; undefined if these are ambiguous. */
function codeOf(program: string): string | undefined {
  let code = '';
  let last = ';';
  for (let at = 0; at < program.length;) {
    const token = tokenAt(program, at, last);
    if (token === undefined) return undefined;
    at += token.length;
    const isBlank = /^(\s|#)/.test(token);
    // A statement may continue on the next line.
    if (isBlank && !token.includes('\n')) code += ' ';
    else if (isBlank) [code, last] = [`${code}\n`, '\n'];
    else [code, last] = [code + (/^(".*"|\/.+\/)$/s.test(token) ? '""' : token), token];
  }
  return code;
}

function tokenAt(program: string, at: number, last: string): string | undefined {
  if (program.charAt(at) !== '/') return matchAt(TOKEN, program, at)?.[0];
  if (isValue(last)) return '/';
  if (!OPERATOR.test(last) && !BEFORE_VALUE.test(last) && !/^[\n}]$/.test(last)) return undefined;
  const [expression, within = ''] = matchAt(EXPRESSION, program, at) ?? [];
  return closesBrackets(within) ? expression : undefined;
}

/** Returns true if a slash after it is a division; after a bracket or a function name it may be either. */
function isValue(token: string): boolean {
  if (/^(length|if|while|for|next|nextfile|BEGIN|END|func|function)$/.test(token)) return false;
  return /^(\w|"|\])/.test(token) && !BEFORE_VALUE.test(token);
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const MATCH = String.raw`/((?:[^/\\\n]|\\.)*)/I?`;
const ADDRESS = String.raw`(?:\d+|\$|${MATCH})`;
const PLACE = String.raw`\s*(?:${ADDRESS}(?:\s*,\s*[+~]?${ADDRESS})?\s*)?(?:!\s*)?`;
const REPLACE = String.raw`[sy]([/|#,:@!%])((?:(?!\3)[^\\\n]|\\[^\n])*)\3(?:(?!\3)[^\\\n]|\\[^\n])*\3[gpiImM\d]*`;
const COMMAND = new RegExp(String.raw`^${PLACE}(?:[pdDPnNhHgGxl=]|[qQ]\d*|${REPLACE})?[ \t]*(?:[;\n]|$)`);
const MAX_SCRIPT = 1000;

/** Returns true for a sed script that only prints, deletes and replaces. */
function isPlainSed(script: string): boolean {
  let rest = script.slice(0, MAX_SCRIPT + 1);
  if (rest.length > MAX_SCRIPT) return false;
  while (rest !== '') {
    const [command, from = '', to = '', , replaced = ''] = COMMAND.exec(rest) ?? [];
    if (!command || ![from, to, replaced].every(closesBrackets)) return false;
    rest = rest.slice(command.length);
  }
  return true;
}

/** In square brackets, a backslash is literal in some programs and escapes what follows in others. */
const BRACKETS = /\\.|\[(?:\^?\]|\^(?!\])|(?![\^\]]))(?:\[([:.=])[\w-]*\1\]|\\[^[\]]|[^[\]\\])*\]/gs;

/**
 * Returns true if all square brackets of a regular expression are closed, whichever program reads it. If not, programs that look
 * for the end of the expression after the brackets find a different one.
 */
function closesBrackets(expression: string): boolean {
  return !expression.replace(BRACKETS, '').includes('[');
}
