/** Methods of .NET and of Windows that start a program or run text, with their arguments. */
const STARTS =
  /(?:::|\.)(start|shellexecute|run|exec|shell|create|addscript|addcommand|invokescript|newscriptblock|setenvironmentvariable|setvalue|createsubkey|deletesubkey\w*|deletevalue)\s*\(((?:[^()]|\([^()]*\))*)\)/gi;
/** What follows the name of a command that is built step by step. */
const ADDED = /\.add(?:argument|parameter)\s*\(([^()]*)\)/gi;
/** Two literals that are joined. */
const JOINED = /'\s*\+\s*'|"\s*\+\s*"/g;
/** The properties of a program to start, with their values. */
const DESCRIBED = /\b(?:filename|arguments)\s*=\s*(?:"([^"$]*)"|'([^']*)'|[^\s;}]+)/gi;
const LITERAL = /^(["']?)([^"'$]*)\1$/;
/** Stands for an argument that only PowerShell knows. */
const COMPUTED = '$(…)';
/** Methods that change settings of the machine, as the commands that do the same. */
const SETTINGS: Readonly<Record<string, string>> = { setenvironmentvariable: 'setx', setvalue: 'reg add' };

/** Returns, as statements, what the calls of such methods in a PowerShell line start. */
export function startedByCalls(line: string): readonly string[] {
  if (!line.includes('(')) return [];
  const text = line.replaceAll(JOINED, '');
  const described = /startinfo/i.test(text)
    ? [...text.matchAll(DESCRIBED)].map(([, one, other]) => one ?? other ?? COMPUTED)
    : [];
  return [described.join(' '), ...calls(text)].filter((one) => one !== '');
}

function calls(text: string): readonly string[] {
  return [...text.matchAll(STARTS)].flatMap(([, method = '', given = '']) => {
    const name = method.toLowerCase();
    const words = argumentsIn(given);
    // Most methods with these names start nothing.
    if (/^(start|run|exec|create)$/.test(name) && words.length === 0) return [];
    if (/value$|subkey|variable$/.test(name)) {
      // Without a third argument, a variable is set only for what the line itself starts.
      if (name.endsWith('variable') ? words.length < 3 : !/registry/i.test(text)) return [];
      return [`${SETTINGS[name] ?? 'reg delete'} ${words.join(' ')}`];
    }
    const added = name === 'addcommand' ? [...text.matchAll(ADDED)].flatMap(([, one = '']) => argumentsIn(one)) : [];
    return [[...words, ...added].join(' ')];
  });
}

function argumentsIn(given: string): readonly string[] {
  const words = given.split(',').map((one) => one.trim());
  return words.filter((one) => one !== '').map((one) => LITERAL.exec(one)?.[2] ?? COMPUTED);
}

/** A command to which its first argument is joined by a character that cmd takes for a blank. */
const COMMAND = String.raw`(?:[\w.\\/:-]|"[^"]*")+`;
const GLUED = [
  new RegExp(String.raw`(?:^\s*@*|\b(?:call|start|do|else|/[ckr])\s+["@]{0,3})(${COMMAND}\s*[;,=].*)$`, 'is'),
  new RegExp(String.raw`\s["@]{0,3}(${COMMAND};\S.*)$`, 's'),
];
/** A command that a loop or a condition of cmd does not show. */
const SILENT = /\b(?:do|else)\s+@+(.*)$/is;

/** Returns the commands of a line that only cmd separates from what is around them: `git;push`. */
export function gluedCommands(line: string): readonly string[] {
  if (!/[\w"]\s*[;,=]|\s@/.test(line)) return [];
  // The entries of a table are not commands.
  const pieces = line.replaceAll(/@\{[^{}]*\}/g, '').split(/[\r\n&|(){}]+/);
  return pieces.flatMap((piece) =>
    [...GLUED, SILENT].flatMap((form) => {
      const [, command] = form.exec(piece) ?? [];
      return command === undefined ? [] : [command.replaceAll(/[;,=]+/g, ' ')];
    }),
  );
}

const REDIRECTED = /[0-9*]?(?:>{1,2}|<)\s*("[^"]*"|'[^']*'|[^\s"'&|;<>()]+)?/g;

/** Returns a statement without its redirections; undefined if it has none. */
export function withoutRedirections(piece: string): string | undefined {
  return /[<>]/.test(piece) ? piece.replaceAll(REDIRECTED, ' ') : undefined;
}
