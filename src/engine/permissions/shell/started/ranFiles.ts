import { dangerousForm } from '../dangerousForms';
import { runsByOption } from '../hiddenCommand';
import { INTERPRETER, SHELL } from '../innerScripts';
import type { LineLimits, ShellWord } from '../shellPart';
import { programName } from '../unwrapCommand';
import {
  contentOf,
  type GivenText,
  isExact,
  isShell,
  joined,
  namedIn,
  NOTHING,
  type OpenPart,
  READS_COMMANDS,
  runsElsewhere,
  runsHere,
  type WrittenFiles,
} from './givenTexts';

/** Builders and package managers, with the files that they run commands from. */
const RUNS_FROM: readonly (readonly [programs: RegExp, files: RegExp])[] = [
  [/^(g|re|b)?make$/, /^(gnu)?makefile$|\.mk$/],
  [/^(npm|pnpm|yarn|bun|npx)$/, /^package\.json$/],
  [/^just$/, /^\.?justfile$/],
  [/^(rake|bundle)$/, /^rakefile|^gemfile$/],
  [/^cargo$/, /^build\.rs$/],
  [/^(task|go-task)$/, /^taskfile\.ya?ml$/],
  [/^(gradle|gradlew)$/, /^(build|settings)\.gradle(\.kts)?$/],
  [/^(docker|docker-compose|podman)$/, /^(docker-)?compose\.ya?ml$/],
  [/^cmake$/, /^cmakelists\.txt$/],
  [/^ninja$/, /^build\.ninja$/],
  [/^vagrant$/, /^vagrantfile$/],
  [/^scons$/, /^sconstruct$/],
  [/^meson$/, /^meson\.build$/],
  [/^mvnw?$/, /^pom\.xml$/],
];
/** Programs besides shells and interpreters that run the text of a file that is one of their operands. */
const RUNS_OPERAND =
  /^(expect|tclsh|wish|osascript|rscript|crontab|at|batch|tsx|ts-node|julia|elixir|escript|guile|racket|groovy|scala|jshell|swift|run-parts|ansible-playbook|bc|dc|m4|parallel|bun|deno|gnuplot|octave|ii|invoke-item)$/;
/** Programs that run the text of a file that follows an option. */
const RUNS_OPTION =
  /^([gmn]?awk|g?sed|psql|mysql|mariadb|sqlite3|duckdb|gdb|lldb|(g|b|re)?make|cmake|tmux|screen|just|task|n?vim?|view|ex|emacs|ninja|gradle|less|(l|s)?ftp|mailx?|s-nail|(neo)?mutt)$/;
const FILE_OPTION =
  /^-[a-zA-Z]*[fxsSPcbklu]$|^-(init|read|i?x)$|^--?(file|makefile|justfile|taskfile|source|command|init-file|script|load|(user)?init|lesskey-(file|src))$/;
/** Programs that run the text of a file after a certain word. */
const RUNS_BEHIND = /^(go|uv|rye|pipenv|poetry|hatch|pixi|pdm|mise|nix)$/;
const BEHIND = /^(run|exec|x|--)$/;
const STARTED = /^(tsx|ts-node)$/;

const ASSIGNED_FILES =
  /^(BASH_ENV|ENV|LD_PRELOAD|LD_AUDIT|NODE_OPTIONS|PYTHONSTARTUP|RUBYOPT|PERL5OPT|PROMPT_COMMAND|\w*(EDITOR|PAGER|VISUAL|ASKPASS|_COMMAND|_WRAPPER|_RSH|SHELL)|BROWSER|GIT_SSH|MAKEFILES)=/;

/** Returns what a command runs of the files that the line writes; null if it runs none of them. */
export function ranFiles({ part, unwrapped }: OpenPart, written: WrittenFiles, place: RunningPlace): GivenText | null {
  if (written.size === 0) return null;
  const words = unwrapped.layers.at(-1) ?? [];
  const found = joined([
    ...namedIn(scriptWords(words, place.isOnPath), written),
    ...ranImplicitly(programName(words[0]), written),
    ...namedIn(setWords([...part.assignments, ...unwrapped.assignments, ...words.slice(1)]), written),
  ]);
  if (found === NOTHING) return null;
  const texts = found.texts.filter((text) => !place.ran.includes(text));
  for (const text of texts) place.limits.addText(text);
  return { ...found, texts };
}

/** Returns a command with the text that it runs as a script, or as a program in another language. */
export function running(opened: OpenPart, given: GivenText): OpenPart {
  if (given === NOTHING) return opened;
  const { texts, isWhole } = given;
  const { part, unwrapped, scripts, started } = opened;

  const command = unwrapped.layers.at(-1) ?? [];
  const [program] = command;
  // Files on another machine are not those of the workspace, but a rule may deny what is run there.
  if (!runsHere(command)) {
    const passed = texts.map((text): ShellWord => ({ text, kind: 'exact' }));
    return { ...opened, part: { ...part, inputs: [...part.inputs, ...passed] } };
  }
  const shells = started.flatMap(({ commands }) => commands.map((words) => words[0]));
  const name = programName(program);
  const isOther =
    [INTERPRETER, RUNS_OPERAND, RUNS_OPTION, RUNS_BEHIND].some((programs) => programs.test(name)) ||
    RUNS_FROM.some(([programs]) => programs.test(name)) ||
    READS_COMMANDS.test(name);
  const isLine = (text: string) =>
    runsElsewhere(command) ||
    [program, ...shells].some((one) => isShell(one)) ||
    (!isOther && !OTHER_LANGUAGE.test(text));
  const others = texts.filter((text) => !isLine(text));
  const lines = texts.flatMap((text) => (isLine(text) ? [text] : shebangLine(text, program)));
  const inputs = others.map((text): ShellWord => ({ text, kind: 'exact' }));
  const obscure = isWhole && others.length === 0 ? null : 'It runs text that the line puts together.';
  return {
    ...opened,
    part: { ...part, inputs: [...part.inputs, ...inputs] },
    scripts: [...scripts, { lines: [], commands: [], obscure }],
    started: [...started, { lines, commands: [], obscure: null }],
  };
}

/** What determines which of the written files a command runs. */
interface RunningPlace {
  /** Whether the line says where programs are looked for. */
  isOnPath: boolean;
  /** What is being judged as a script already. */
  ran: readonly string[];
  limits: LineLimits;
}

const OTHER_LANGUAGE = /^#!(?!\s*\S*\/(env\s+)?(ba|da|k|z|a)?sh\s*$)/m;

/** Returns what the system starts for a script whose first line names a program. */
function shebangLine(text: string, script: ShellWord | undefined): readonly string[] {
  const [, program] = /^#!\s*(\S[^\n]*)/.exec(text) ?? [];
  return program === undefined || !script ? [] : [`${program} ${script.text}`];
}

/** Whether a program may be a file that the line writes. */
function isOwnProgram(program: ShellWord | undefined, isOnPath: boolean): boolean {
  return !!program && (isOnPath || !isExact(program) || program.text.includes('/'));
}

/** Returns the words of a command that name what it runs. */
function scriptWords(words: readonly ShellWord[], isOnPath: boolean): readonly ShellWord[] {
  const [program, ...rest] = words;
  if (!program) return [];
  const name = programName(program);
  const own = isOwnProgram(program, isOnPath) ? [program, ...(isOnPath ? partsOf(program) : [])] : [];
  if (SHELL.test(name)) return [...own, ...upToText(upToOperand(rest, /^[-+][a-zA-Z]*[oO]$/))];
  if (/^(source|\.)$/.test(name)) return [...own, ...upToOperand(rest, /^$/)];
  if (INTERPRETER.test(name)) {
    const files = upToOperand(rest, /^-[WXQ]$/).filter((word, at) => isExact(word) || !isText(rest[at - 1]));
    return [...own, ...files.flatMap(partsOf)];
  }
  if (RUNS_OPERAND.test(name) || dangerousForm(words)?.hides || runsByOption(words))
    return [...own, ...rest.flatMap(partsOf)];
  if (RUNS_OPTION.test(name)) return [...own, ...rest.flatMap((word, at) => behindOption(word, rest[at - 1]))];
  const behind = RUNS_BEHIND.test(name) ? rest.findIndex(({ text }) => BEHIND.test(text)) : -1;
  const found = behind === -1 ? [] : rest.slice(behind + 1, behind + 2);
  const shell = rest.findIndex((word) => [SHELL, INTERPRETER, STARTED].some((names) => names.test(programName(word))));
  return [...own, ...found, ...(shell === -1 ? [] : scriptWords(rest.slice(shell), false))];
}

function behindOption(word: ShellWord, before: ShellWord | undefined): readonly ShellWord[] {
  const isGlued = /^-[fxsSPbklu]./.test(word.text) || /^--\w[\w-]*=/.test(word.text);
  return isGlued || FILE_OPTION.test(before?.text ?? '') ? partsOf(word) : [];
}

/** Returns the options with their values and the first operand. */
function upToOperand(words: readonly ShellWord[], valued: RegExp): readonly ShellWord[] {
  const at = words.findIndex(
    ({ text, kind }, index) =>
      kind !== 'exact' ||
      (!/^[-+]/.test(text) && !/^-/.test(words[index - 1]?.text ?? '') && !valued.test(words[index - 1]?.text ?? '')),
  );
  return at === -1 ? words : words.slice(0, at + 1);
}

/** Program text follows, and what follows the text are its arguments. */
function isText(option: ShellWord | undefined): boolean {
  return option?.kind === 'exact' && /^-[a-zA-Z]*[ce]$/.test(option.text);
}

/** Returns the words in front of the line that a shell is given. */
function upToText(words: readonly ShellWord[]): readonly ShellWord[] {
  const at = words.findIndex(isText);
  return at === -1 ? words : words.slice(0, at);
}

/** How the file of a module or a program may end that is named without it. */
const ENDINGS = ['', ...'.py .js .mjs .cjs .rb .pl .pm .lua .php .ts .bat .cmd .ps1'.split(' ')];

/** Returns the names in an option's value: of a file to load, or of a module, without its extension. */
function partsOf(word: ShellWord): readonly ShellWord[] {
  if (!isExact(word)) return [word];
  const names = word.text.split(/[=,:@\s"'()]|^-[a-zA-Z](?=[\w./])/);
  return names.flatMap((one) => ENDINGS.map((ending): ShellWord => ({ text: `${one}${ending}`, kind: 'exact' })));
}

function setWords(words: readonly ShellWord[]): readonly ShellWord[] {
  return words
    .filter(({ text }) => ASSIGNED_FILES.test(text))
    .flatMap(({ text }) => text.split(/[=:\s]+/).map((one): ShellWord => ({ text: one, kind: 'exact' })));
}

/** That a program changed such a file, as in `jq … > package.json`, is no more of a reason to ask than an edit of it would be. */
function ranImplicitly(name: string, written: WrittenFiles): readonly GivenText[] {
  const files = RUNS_FROM.find(([programs]) => programs.test(name))?.[1];
  if (!files) return [];
  const found = [...written.keys()].filter((file) => files.test(file)).flatMap((file) => contentOf(file, written));
  return found.map((given) => ({ ...given, veiled: null }));
}
