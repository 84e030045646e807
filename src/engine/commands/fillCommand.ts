import type { ContentWorld } from '../content/contentSource';

/** The values of the placeholders. */
export interface CommandValues {
  /** Everything typed after the name. */
  args: string;
  /** Absolute path. */
  workspace: string;
  /** The tool whose conventions the command follows. Default: Cairn's. */
  world?: ContentWorld;
}

/** Excludes prices, such as $5M or $1.50. */
const NUMBERED = /\$(\d)(?![A-Za-z\d]|[.,]\d)/g;
const PLACEHOLDERS =
  /\$ARGUMENTS\[(\d+)\]|\$ARGUMENTS\b|\$\{ARGUMENTS\}|\$(\d)(?![A-Za-z\d]|[.,]\d)|\$\{input:([\w-]+)(?::([^}]*))?\}|\$\{(workspaceFolder|workspaceFolderBasename|workspaceRoot|CLAUDE_PROJECT_DIR)\}|(?<=^|\s)!`([^`\n]+)`/gm;

/** In other worlds `$1` and `` !`git diff` `` are not placeholders but part of scripts, such as those of awk. */
const LIKE_SHELL: ReadonlySet<ContentWorld> = new Set(['cairn', 'claude', 'opencode', 'codex']);
/** Start of a block of commands that Claude Code runs. */
const BLOCK_TO_RUN = /^```![ \t]*$/gm;

/**
 * Fills the text typed after the name into a command. Inserted text is not expanded again. Commands that the file wants to run
 * (`` !`git diff` ``) are not run here: the model is asked to run them, so that they are subject to the same permissions as any
 * other call.
 */
export function fillCommand(body: string, { args, workspace, world = 'cairn' }: CommandValues): string {
  const words = splitWords(args);
  const isLikeShell = LIKE_SHELL.has(world);
  const places = [...body.matchAll(NUMBERED)].map(([, at]) => Number(at));
  const last = Math.max(0, ...places);
  const fromZero = places.includes(0);
  const inputs = [...new Set([...body.matchAll(/\$\{input:([\w-]+)/g)].map(([, name = '']) => name))];
  const numbered = (written: number): string => {
    const at = fromZero ? written : written - 1;
    // The last placeholder takes the rest, so that nothing typed is lost.
    return written === last ? words.slice(at).join(' ') : (words[at] ?? '');
  };
  const input = (name: string, hint: string | undefined): string => {
    const value = inputs.length === 1 ? args : at(words, inputs.indexOf(name), inputs.length);
    return value === '' ? `(${hint?.trim() || name}: not said; ask for it if you need it)` : value;
  };
  const told = isLikeShell ? body.replace(BLOCK_TO_RUN, '(run this and use what it prints)\n```') : body;
  return told.replace(
    PLACEHOLDERS,
    (
      whole: string,
      index: string | undefined,
      number: string | undefined,
      name: string | undefined,
      hint: string | undefined,
      place: string | undefined,
      command: string | undefined,
    ) => {
      if (!isLikeShell && (index ?? number ?? command) !== undefined) return whole;
      if (index !== undefined) return words[Number(index)] ?? '';
      if (number !== undefined) return numbered(Number(number));
      if (name !== undefined) return input(name, hint);
      if (place !== undefined) return place.endsWith('Basename') ? baseName(workspace) : workspace;
      if (command !== undefined) return `(run \`${command}\` and use what it prints)`;
      return whole.startsWith('$') ? args : whole;
    },
  );
}

/** The last of several inputs takes the rest. */
function at(words: readonly string[], index: number, count: number): string {
  return index === count - 1 ? words.slice(index).join(' ') : (words[index] ?? '');
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** Splits at whitespace; quoted text is one word. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([whole, double, single]) => double ?? single ?? whole);
}
