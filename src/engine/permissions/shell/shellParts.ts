import { PosixReader } from './posixReader';
import { namedByProgram } from './programTexts';
import { LineLimits, type ShellPart, type ShellReading, type ShellRedirection, type ShellWord } from './shellPart';
import { gluedCommands, startedByCalls, withoutRedirections } from './windowsStatements';

/** The shell that a line is written for. */
export type ShellKind = 'posix' | 'windows';

/**
 * Parses a shell line into the simple commands that it would run, at any depth. Never throws; counts what it reads. For bash and
 * sh it uses Cairn's own reader rather than the tree-sitter grammar for bash, which reads as bash alone would and so, on the same
 * lines, let through what dash and zsh execute (`test/bench/RESULTS.md`).
 */
export function shellParts(line: string, shell: ShellKind, limits = new LineLimits()): ShellReading {
  const reading = shell === 'windows' ? splitWindows(line, limits) : PosixReader.read(line, limits);
  return limits.isExceeded ? { parts: [], unclear: LineLimits.WHAT, unread: LineLimits.WHAT } : reading;
}

/** Letters, digits, and characters without a meaning to PowerShell and cmd. */
const PLAIN_LINE = /^[\p{L}\p{N} \t_./\\:=+-]*$/u;

/** A command to which cmd takes what follows the sign for its first argument. */
const SETS_FIRST = /^\s*\S+=/;

/** Where a command may end in either of the two. */
const BOUNDARY = /[\r\n;&|(){}]+/;

const WRITES = /[0-9*]?>{1,2}\s*("[^"]*"|'[^']*'|[^\s"'&|;<>()]+)/g;

/** .NET methods that write, create, or delete files. */
const CALLS =
  /(?:\bIO\.\w+\]::(?=write|append|create|delete|move|copy|replace|set|open|encrypt)|\.(?=downloadfile|extracttodir))(\w+)\s*\(([^()]*)\)/gi;

/** Characters with which one of the two expands a word or drops a character. */
const FILLED_IN = /[$%^`!*?]|^["']?~|~\d/;

/** Names of commands after which the line may continue in another folder. */
export const CHANGES_FOLDER = /^(cd|chdir|pushd|popd|sl|(set|push|pop)-location)$/i;

/** Targets that are not files. */
const NO_FILE = /^(\$null|nul|&?\d)$/i;

/**
 * Reads a line for PowerShell or cmd. A line of plain words is one command. For anything else the commands are only guessed,
 * which is enough to deny but never to allow.
 */
function splitWindows(line: string, limits: LineLimits): ShellReading {
  limits.addText(line);
  if (limits.isExceeded) return { parts: [], unclear: null, unread: null };
  const reading = readWindows(line);
  for (const part of reading.parts) {
    limits.addCommand(part);
    limits.addWords(part.words.length + part.redirections.length);
  }
  return reading;
}

function readWindows(line: string): ShellReading {
  if (PLAIN_LINE.test(line) && !SETS_FIRST.test(line)) return { parts: partsOf(line, []), unclear: null, unread: null };
  const redirections = [
    ...[...line.matchAll(WRITES)].flatMap(([, target = '']) => redirectionTo(target)),
    ...[...line.matchAll(CALLS)].flatMap(([, method = '', given = '']) => writtenByCall(method, given)),
    ...namedByProgram(line).flatMap(redirectionTo),
  ];
  const others = [...statementsWithBrackets(line), ...startedByCalls(line), ...gluedCommands(line)];
  const pieces = [...line.split(BOUNDARY), ...others].flatMap((piece) => {
    const bare = withoutRedirections(piece);
    return [...(bare === undefined ? [] : partsOf(bare, [], piece)), ...partsOf(piece, [])];
  });
  if (pieces.length === 0) pieces.push({ text: line, assignments: [], words: [], redirections: [], inputs: [] });
  // Which command a redirection belongs to is not known: any that leaves the folder may come before it.
  const holder = pieces.some(({ words: [program] }) => CHANGES_FOLDER.test(program?.text ?? ''))
    ? pieces.length - 1
    : 0;
  const parts = pieces.map((piece, at) => (at === holder ? { ...piece, redirections } : piece));
  return { parts, unclear: 'more than plain words', unread: null };
}

const INNERMOST = /\([^()]*\)/g;
const MOST_NESTED = 5;
/** Stands for what PowerShell puts in place of a bracket among words. */
const COMPUTED = ' $(…) ';
/** Stands for the same while there may be more brackets around it. */
const HELD = ' \0 ';

/** Returns the statements in which the program, or one of its words, is computed in round brackets: `git (echo push)`. */
function statementsWithBrackets(line: string): readonly string[] {
  if (!line.includes('(')) return [];
  return line.split(/[\r\n;|{}]+/).flatMap((statement) =>
    statement.split('&').flatMap((piece, at) => {
      const isCall = (at > 0 && /^\s*\(/.test(piece)) || /^\s*\.\s*\(/.test(piece);
      if (!isCall && !/^\s*[^\s($]\S*\s(.*\s)?\(/.test(piece)) return [];
      let rest = isCall ? piece.replace(/^\s*\./, '') : piece;
      for (let depth = 0; depth < MOST_NESTED; depth++) rest = rest.replaceAll(INNERMOST, HELD);
      return [rest.replace(/\(.*$/s, HELD).replaceAll(HELD, COMPUTED)];
    }),
  );
}

/** Returns what a .NET call writes: most methods name it first, and some also or only in a later argument. */
function writtenByCall(method: string, given: string): ShellRedirection[] {
  const words = given.split(',').map((one) => one.trim());
  const targets = /^(move|copy|replace|download|extract)/i.test(method) ? words : words.slice(0, 1);
  return targets.filter((one) => one !== '' && !one.includes('://')).flatMap(redirectionTo);
}

function partsOf(text: string, redirections: ShellRedirection[], shown = text): ShellPart[] {
  const words = text
    .trim()
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word, at): ShellWord => ({
      // Before a command, cmd takes it for the wish not to show it.
      text: (at === 0 ? word.replace(/^@+(?=\w)/, '') : word).replace(/^["']|["']$/g, ''),
      kind: FILLED_IN.test(word) ? 'unknown' : 'exact',
    }));
  return words.length > 0 ? [{ text: shown.trim(), assignments: [], words, redirections, inputs: [] }] : [];
}

function redirectionTo(target: string): ShellRedirection[] {
  const text = target.replace(/^["']|["']$/g, '');
  if (NO_FILE.test(text)) return [];
  return [{ kind: 'write', target: { text, kind: FILLED_IN.test(text) ? 'unknown' : 'exact' } }];
}
