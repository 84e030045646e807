import { type InnerScripts, NO_SCRIPTS, SHELL } from '../innerScripts';
import { MAX_LINE, type ShellPart, type ShellWord } from '../shellPart';
import { givenOptions, isOneOf, NAMES_PACKAGES } from '../touched/changed';
import { programName } from '../unwrapCommand';

/** Programs that run what follows them on this machine, whatever starts them. */
const READERS = /^(env|sudo|doas|eval|xargs|node|nodejs|tsx|python[\d.]*|pypy3?|perl|ruby|php|lua|deno|bun|[gmn]?awk)$/;
/** Programs that refer to others by name, or run them on another machine. */
const ELSEWHERE =
  /^(git|man|type|alias|hash|g?find|which|whereis|info|pgrep|pkill|killall|ps|chsh|docker|podman|nerdctl|kubectl|ssh|vagrant|lxc|multipass|adb|wsl)$/;
/** Programs that pass each argument of several words to a shell. */
const TAKES_LINES = /^(watch|parallel|sem|hyperfine|concurrently|nodemon|entr|watchexec|script|su|sg|runuser|flock)$/;
/** Options whose value is a shell line. */
const LINE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  npx: ['-c', '--call'],
  npm: ['-c', '--call'],
  pnpx: ['-c', '--call'],
  git: ['-x', '--exec'],
};

/** Returns what an otherwise unknown program starts through its words, as far as that is certain. */
export function startedScripts(words: readonly ShellWord[]): InnerScripts {
  const name = programName(words[0]);
  const commands = [startedCommand(words), ...commandOfGit(name, words)].filter((one) => one.length > 0);
  const texts = [...(TAKES_LINES.test(name) ? words.slice(1) : []), ...linesByOption(name, words)];
  const lines = texts.filter(({ text, kind }) => kind === 'exact' && /\s/.test(text)).map(({ text }) => text);
  return commands.length + lines.length > 0 ? { ...NO_SCRIPTS, lines, commands } : NO_SCRIPTS;
}

/** Returns a shell or an interpreter among the words of another program, with its arguments. */
function startedCommand(words: readonly ShellWord[]): readonly ShellWord[] {
  if (ELSEWHERE.test(programName(words[0]))) return [];
  const at = words.findIndex(({ text }, index) => {
    if (index === 0) return false;
    const name = programName({ text, kind: 'exact' });
    const next = words[index + 1];
    if (SHELL.test(name)) return !next || /^[-+]/.test(next.text);
    return READERS.test(name) && (name.endsWith('awk') ? next !== undefined : next?.text.startsWith('-') === true);
  });
  return at === -1 || words.slice(1, at).some(({ text }) => NAMES_PACKAGES.test(text)) ? [] : words.slice(at);
}

function commandOfGit(name: string, words: readonly ShellWord[]): readonly (readonly ShellWord[])[] {
  if (name !== 'git') return [];
  const at = words.findIndex(
    ({ text }, index) => /^(run|foreach)$/.test(text) && /^(bisect|submodule)$/.test(words[index - 1]?.text ?? ''),
  );
  if (at === -1) return [];
  const [first, ...others] = words.slice(at + 1).filter(({ text }) => text !== '--recursive');
  if (!first) return [];
  // A single word is a line.
  return others.length === 0 ? [[{ text: 'eval', kind: 'exact' }, first]] : [[first, ...others]];
}

function linesByOption(name: string, words: readonly ShellWord[]): readonly ShellWord[] {
  const options = Object.hasOwn(LINE_OPTIONS, name) ? (LINE_OPTIONS[name] ?? []) : [];
  const isRebase = name !== 'git' || words.some(({ text }) => text === 'rebase');
  if (options.length === 0 || !isRebase) return [];
  return givenOptions(words.slice(1), 'cx').flatMap(({ option, value }) =>
    isOneOf(option, options) && value ? [value] : [],
  );
}

/** Programs that print their arguments. */
export const PRINTS = /^(echo|print|printf)$/;

/** Programs that repeat what is piped to them. */
const HANDS_ON = /^(cat|tee|head|tail|sort|uniq|grep|sed)$/;

/** Returns the shell lines that a command prints, for a shell that they are piped into. */
export function saidLines({ words, inputs }: ShellPart): readonly string[] {
  const [program, ...rest] = words;
  const name = programName(program);
  if (name === '' || HANDS_ON.test(name)) return inputs.map(({ text }) => text);
  if (!PRINTS.test(name)) return [];
  const isClosed = name === 'printf' && rest[0]?.text === '--';
  const texts = rest
    .slice(isClosed ? 1 : 0)
    .filter(({ text }, at) => !/^-[neErR]+$/.test(text) || at > 1)
    .map(({ text }) => text);
  const [format = '', ...values] = texts;
  const said = name === 'printf' ? formatted(format, values) : texts.join(' ');
  return [...new Set([said, unescaped(said)])];
}

/** Fills in the values; the format is repeated as long as there are more of them. */
function formatted(format: string, values: readonly string[]): string {
  let next = 0;
  let said = '';
  do said += format.replaceAll(/%[-\d.]*[sbq]/g, () => values[next++] ?? '');
  while (
    // Longer output is not read by anything.
    next > 0 &&
    next < values.length &&
    said.length <= MAX_LINE
  );
  return said;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

/** Resolves the escapes of `echo -e`, `printf` and `$'…'`. */
export function unescaped(text: string): string {
  return text.replaceAll(/\\(x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|[0-7]{1,4}|[ntr\\])/g, (_, escape: string) => {
    if (Object.hasOwn(ESCAPES, escape)) return ESCAPES[escape] ?? '';
    const isHex = /^[xu]/.test(escape);
    return String.fromCharCode(Number.parseInt(isHex ? escape.slice(1) : escape, isHex ? 16 : 8));
  });
}
