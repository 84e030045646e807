/** What placeholders stand for. */
export interface CommandValues {
  /** All that was typed after the name. */
  args: string;
  /** Absolute. */
  workspace: string;
}

const PLACEHOLDERS =
  /\$ARGUMENTS\[(\d+)\]|\$ARGUMENTS\b|\$\{ARGUMENTS\}|\$(\d)(?!\d|[.,]\d)|\$\{input:([\w-]+)(?::([^}]*))?\}|\$\{(workspaceFolder|workspaceFolderBasename|workspaceRoot|CLAUDE_PROJECT_DIR)\}|(?<=^|\s)!`([^`\n]+)`/gm;

/**
 * The words of a command with what was typed after its name. What is put in is not looked at again. Commands that the file wants
 * to have run (`` !`git diff` ``) are not: the model is told to run them, so that they are judged as every other.
 */
export function fillCommand(body: string, { args, workspace }: CommandValues): string {
  const words = splitWords(args);
  const last = Math.max(0, ...[...body.matchAll(/\$(\d)(?!\d|[.,]\d)/g)].map(([, at]) => Number(at)));
  const fromZero = /\$0(?!\d|[.,]\d)/.test(body);
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
  return body.replace(
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
