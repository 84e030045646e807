import type { ContentWorld } from '../content/contentSource';

/** What placeholders stand for. */
export interface CommandValues {
  /** All that was typed after the name. */
  args: string;
  /** Absolute. */
  workspace: string;
  /** In whose words the command is written; not said: in ours. */
  world?: ContentWorld;
}

/** Not a price, such as $5M or $1.50. */
const NUMBERED = /\$(\d)(?![A-Za-z\d]|[.,]\d)/g;
const PLACEHOLDERS =
  /\$ARGUMENTS\[(\d+)\]|\$ARGUMENTS\b|\$\{ARGUMENTS\}|\$(\d)(?![A-Za-z\d]|[.,]\d)|\$\{input:([\w-]+)(?::([^}]*))?\}|\$\{(workspaceFolder|workspaceFolderBasename|workspaceRoot|CLAUDE_PROJECT_DIR)\}|(?<=^|\s)!`([^`\n]+)`/gm;

/** To others `$1` and `` !`git diff` `` mean nothing: there they stand in scripts, such as those of awk. */
const LIKE_SHELL: ReadonlySet<ContentWorld> = new Set(['cairn', 'claude', 'opencode']);
/** Begins a block of commands that Claude Code runs. */
const BLOCK_TO_RUN = /^```![ \t]*$/gm;

/**
 * The words of a command with what was typed after its name. What is put in is not looked at again. Commands that the file wants
 * to have run (`` !`git diff` ``) are not: the model is told to run them, so that they are judged as every other.
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
    // The last one takes what is left, so that nothing that was typed is lost.
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

/** Of several names the last one takes what is left. */
function at(words: readonly string[], index: number, count: number): string {
  return index === count - 1 ? words.slice(index).join(' ') : (words[index] ?? '');
}

function baseName(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path;
}

/** By spaces; what stands between quotes is one. */
export function splitWords(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g)].map(([whole, double, single]) => double ?? single ?? whole);
}
