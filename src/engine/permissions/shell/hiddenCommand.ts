import { dangerousForm } from './dangerousForms';
import { INTERPRETER } from './innerScripts';
import { knownUse } from './knownUse';
import { PosixReader } from './posixReader';
import { WRITES_FILES } from './programTexts';
import type { LineLimits, ShellPart, ShellWord } from './shellPart';
import { connectsHere, READS_COMMANDS } from './started/givenTexts';
import { programName, unwrapCommand } from './unwrapCommand';

/** Builtins that evaluate text as arithmetic, or expand it once more. */
const EVALUATING =
  /^(test|\[|\[\[|printf|print|read|let|declare|typeset|local|integer|float|export|readonly|unset|exit|return|shift)$/;
/** Variables of zsh that define what names mean. */
const MEANINGS = /^(dis_)?([gs]?aliases|functions(_source)?|commands|builtins)(\[|\+?=)/;
const GIT_RUNS = /^(bisect|submodule|filter-branch|filter-repo|difftool|mergetool)$/;

/** Variables that decide what Git reads or starts, through files or words. */
const STEERS_GIT = /^(GIT_(CONFIG\w*|DIR|EXEC_PATH|COMMON_DIR)|HOME|XDG_CONFIG_HOME)=/;
/** Programs that start a shell or read program text, by name alone. */
const READS_PROGRAMS =
  /^((ba|da|k|z|a|fi|c|tc)?sh|pwsh|eval|source|\.|xargs|env|node|python[\d.]*|perl|ruby|php|lua|base64|xxd|rev)$/;
const MOST_TEXT = 5000;

/**
 * Returns why a command that a rule denies may hide in what a command is given, as a sentence; null if it cannot. `isJudged`:
 * what the command runs of that was parsed; `isInert`: the command runs nothing of it.
 */
export function hiddenCommand(
  part: ShellPart,
  layers: readonly (readonly ShellWord[])[],
  { isJudged, isInert, limits }: { isJudged: boolean; isInert: boolean; limits: LineLimits },
): string | null {
  if (part.assignments.some(({ text }) => MEANINGS.test(text))) return 'It changes what later commands mean.';
  if (!isJudged && layers.some(runsText)) return 'It runs text that cannot be checked.';
  if (steersGit(part, layers)) return 'It changes what Git reads.';
  const isAlone = isInert && layers.length === 1;
  if ([...part.assignments, ...(isAlone ? [] : part.words.slice(1))].some(steersPrograms))
    return 'It sets a variable that decides which programs run.';
  const evaluates = layers.some(([program]) => EVALUATING.test(programName(program)));
  const given = isJudged || (isInert && !evaluates) ? [] : [...part.words, ...part.inputs];
  const set = part.assignments.map(({ text, kind }) => ({ text: text.replace(/^\w+\+?=/, ''), kind }));
  return [...part.assignments, ...given].some(mayRun) || [...set, ...given].some((word) => isScript(word, limits))
    ? 'It may run what its arguments say.'
    : null;
}

/** Variables whose value is run by any program that reads them. */
const STARTED =
  /^(\w*(EDITOR|PAGER|VISUAL|ASKPASS|_COMMAND|_WRAPPER|_RSH|EXTERNAL_DIFF|SHELL)|BROWSER|GIT_SSH|LESSOPEN|LESSCLOSE|PERL5DB|CC|CXX|LD|AR)$/i;
/** Variables whose value contains options that make programs start others. */
const OPTIONS =
  /^(NODE_OPTIONS|PERL5OPT|RUBYOPT|(GNU)?MAKEFLAGS|GOFLAGS|BASH_ENV|ENV|PYTHONSTARTUP|LD_PRELOAD|DYLD_INSERT_LIBRARIES|TAR_OPTIONS)$/;
const RUNS_BY_WORD = /eval|require|import|loader|exec|vettool|(^|\s)-[rMI]|[;&|<>$`]/;

/** Whether a variable decides what a program starts, other than by the plain name of one. */
function steersPrograms({ text, kind }: ShellWord): boolean {
  const [, name = '', value = ''] = /^(\w+)\+?=(.*)$/s.exec(text) ?? [];
  if (value === '') return false;
  if (STARTED.test(name)) return kind !== 'exact' || !/^[\w./-]+(\s+[-\w./=]+)*$/.test(value) || /\bsh\b/.test(value);
  return OPTIONS.test(name) && (kind !== 'exact' || RUNS_BY_WORD.test(value));
}

/** Programs that pass text to another machine, unless an option runs something on this one. */
const REMOTE = /^(ssh|scp|sftp|rsync|mosh)$/;
const HERE = /^(-[a-zA-Z]*[oeS].*|--rs[a-z-]*(=.*)?)$/s;
const MOST_TEXTS = 12;
/** Enough characters of a text that may be a shell line to see how it begins. */
const MOST_LINE = 300;

/** Returns texts in which a command that runs may be contained, as shell lines: the values of variables and options, and program text. */
export function textsThatRun(part: ShellPart, layers: readonly (readonly ShellWord[])[], mayRunText: boolean) {
  const set = [...part.assignments, ...layers.flat()];
  const started = set.flatMap(({ text }) => {
    const [, name = '', value = ''] = /^(\w+)\+?=(.*)$/s.exec(text) ?? [];
    return STARTED.test(name) || OPTIONS.test(name) || /^PS\d$/.test(name) ? [value] : [];
  });
  const command = layers.at(-1) ?? [];
  const name = programName(command[0]);
  const words = command.filter(
    ({ text }, at) =>
      at > 0 &&
      (!REMOTE.test(name) || connectsHere(command) || HERE.test(text) || HERE.test(command[at - 1]?.text ?? '')),
  );
  const given = mayRunText ? [...part.assignments, ...words, ...part.inputs].map(({ text }) => text) : [];
  const isLong = (text: string) => /\s/.test(text) && text.length <= MOST_TEXT;
  const isProgram = INTERPRETER.test(name);
  const lines = [
    ...started.filter(isLong).flatMap((text) => linesIn(text, isProgram)),
    ...given.filter(isLong).flatMap((text) => (DATABASES.test(name) ? linesInSql(text) : linesIn(text, isProgram))),
  ].slice(0, MOST_TEXTS);
  return [
    ...lines,
    ...writtenBy(command, part.inputs, set).map((path) => `touch ${path}`),
    ...removedBy(command, part.inputs),
  ];
}

/** Functions of interpreters that remove a file or a folder with everything in it. */
const REMOVING =
  /\b(rmtree|rmdir|rm(dir)?sync|rm_rf?|remove_(tree|entry|dir)|removedirs|removesync|unlink(sync)?|rimraf(sync)?|(os|fs|promises)\.(rm|rmdir|remove)|rm(?=\(")|delete-(tree|directory|file)|delete(?=\(')|unlink|(File|Dir|FileUtils)\.(delete|rm\w*))\b/i;
const REMOVED = new RegExp(String.raw`${REMOVING.source}\s*\(?\s*(?:[\w.]*Path\()?["'\`]([^"'\`\n]*)["'\`]`, 'gi');
/** The current folder, and every file in it. */
const ALL_OF_IT =
  /getcwd|\bcwd\(|Dir\.pwd|__dirname|Path\(\)|Path\.cwd|curdir|r?glob\(\s*["'`](\*\*?\/?)+["'`]|\bglob\s+["']\*/;
const HOME_FOLDER = /homedir\(|expanduser|Path\.home|Dir\.home|\bHOME\b/;
/** The list of words that a program is started with. */
const STARTED_WITH = /[[(\s]((?:["'][^"'\n]*["']\s*(?:,\s*)?){2,})/g;
/** What Ruby, Perl, and others run or split into words, by its quotes. */
const QUOTED = /`([^`\n]*)`|\b(?:qx|qw|%x|x)\s*[{([<|/]([^})\]>|/\n]*)/g;

/** Returns shell lines that remove what program text of a command removes, as far as it names that. */
function removedBy(command: readonly ShellWord[], inputs: readonly ShellWord[]): readonly string[] {
  if (!runsCode(command)) return [];
  const texts = [...command.slice(1), ...inputs].map(({ text }) => text.slice(0, MOST_TEXT));
  return texts.flatMap((text) => {
    const started = [...text.matchAll(STARTED_WITH)].map(([, list = '']) => list.replaceAll(/["'],?\s*["']/g, ' '));
    const quoted = [...text.matchAll(QUOTED)].map(([, one, other]) => one ?? other ?? '');
    const lines = [...started, ...quoted].map((list) => list.replaceAll(/["',]/g, ''));
    if (!REMOVING.test(text)) return lines;
    const named = [...text.matchAll(REMOVED)].flatMap((found) => found.at(-1) ?? []);
    return [
      ...lines,
      ...named.filter((path) => /^[\w./-]+$/.test(path)).map((path) => `rm -r -- ${path}`),
      ...(ALL_OF_IT.test(text) ? ['rm -r .'] : []),
      ...(HOME_FOLDER.test(text) ? ['rm -r /home'] : []),
    ];
  });
}

/** Whether a command is given program text in some language. */
function runsCode(command: readonly ShellWord[]): boolean {
  return INTERPRETER.test(programName(command[0])) || dangerousForm(command)?.hides === true || isGivenCode(command);
}

/** Programs whose text can name, by a word or a letter, a file to write. */
const WRITING = /^(g?sed|red|ed|ex|n?vim?)$/;
const DATABASES = /^(sqlite3|duckdb|psql|mysql|mariadb)$/;
const WRITTEN =
  /(?:^|[^a-zA-Z_])(?:[wW]|wq|tee|saveas|write|output|backup|once|clone|save|writefile\(')!?\s*((?:[/~]|\.\.\/|\.\w)[\w./-]*)/g;
/** The same in SQL. */
const STORED = /\b(?:into|to|outfile|dumpfile|(?:attach|export)(?:\s+database)?)\s+['"]((?:[/~]|\.\.\/)[\w./-]*)['"]/gi;
const LITERAL = /["'`]>*\s*((?:[/~][\w./-]*|\.\.(?:\/[\w./-]*)?))["'`]/g;
const VARIABLE = /^(\w+)=((?:[/~]|\.\.\/)[\w./-]*)$/;

/** Returns paths outside the folder that program text writes to, as far as it names them. */
function writtenBy(
  command: readonly ShellWord[],
  inputs: readonly ShellWord[],
  set: readonly ShellWord[],
): readonly string[] {
  const name = programName(command[0]);
  const isAwk = /^[gmn]?awk$/.test(name);
  const isKnown = (isAwk || /^g?sed$/.test(name)) && knownUse(command).caution === null;
  if (isKnown || !(isAwk || WRITING.test(name) || DATABASES.test(name) || runsCode(command))) return [];
  const texts = [...command.slice(1), ...inputs].map(({ text }) => text.slice(0, MOST_TEXT));
  const found = (pattern: RegExp, all = texts) =>
    all.flatMap((text) => [...text.matchAll(pattern)].map(([, path = '']) => path));
  if (WRITING.test(name)) return found(WRITTEN);
  if (DATABASES.test(name)) return [...found(WRITTEN), ...found(STORED)];
  const writing = texts.filter((text) => WRITES_FILES.test(text));
  const named = set.flatMap(({ text }) => {
    const [, name = '', path = ''] = VARIABLE.exec(text) ?? [];
    // Awk takes variables as arguments too.
    return path !== '' && (isAwk ? writing.length > 0 : writing.some((one) => one.includes(name))) ? [path] : [];
  });
  return [...found(LITERAL, writing), ...named];
}

/** Returns the parts of a text that may be a shell line: the whole text, what is quoted in it, and what follows certain characters. */
function linesIn(text: string, isProgram: boolean): readonly string[] {
  const quoted = [...text.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)]
    .map(([, one, other]) => one ?? other ?? '')
    .filter((one) => /\s/.test(one));
  if (isProgram) return quoted;
  const behind = [...text.matchAll(/[=:(!|`]|^\W*\w+\s/g)].map(({ index, 0: sign }) => text.slice(index + sign.length));
  return [text, ...quoted, ...behind].map((line) => line.slice(0, MOST_LINE));
}

/** What starts a program in the languages of databases. */
const RUN_BY_SQL = /(?:^|\n)\s*\.(?:shell|system|sh|sy\w*)\b|\\[!goPw]|\b(?:system|program|pager)\b|\||\bedit\s*\(/gi;

/** Returns the parts of a text for a database that a shell runs: what else is in it is data, which often looks like paths. */
function linesInSql(text: string): readonly string[] {
  return Array.from(text.matchAll(RUN_BY_SQL), ({ index, 0: sign }) => {
    const [line = ''] = text.slice(index + sign.length).split('\n', 1);
    return line
      .slice(0, MOST_LINE)
      .replaceAll(/["'],\s*["']/g, '; ')
      .replaceAll(/["'()]|\$\w*\$/g, ' ');
  });
}

function steersGit({ assignments }: ShellPart, layers: readonly (readonly ShellWord[])[]): boolean {
  const starts = layers.some(([program]) => /^(git|export|declare|typeset|readonly|set)$/.test(programName(program)));
  return starts && [...assignments, ...layers.flat()].some(({ text }) => STEERS_GIT.test(text));
}

/** Whether a text is a shell line in which something is passed to what runs it. Whatever receives the text may run it as a script. */
function isScript({ text }: ShellWord, limits: LineLimits): boolean {
  if (!/[|;&<$`(]/.test(text) || !/\s/.test(text) || text.length > MOST_TEXT) return false;
  return PosixReader.read(text, limits).parts.some(({ words }) =>
    unwrapCommand(words).layers.some(([program]) => READS_PROGRAMS.test(programName(program))),
  );
}

function runsText(words: readonly ShellWord[]): boolean {
  if (dangerousForm(words)?.hides) return true;
  const name = programName(words[0]);
  if (runsByOption(words) || readsCommands(words) || handsText(words) || isGivenCode(words)) return true;
  if (/^[gmn]?awk$/.test(name)) return knownUse(words).caution !== null;
  return name === 'git' && words.some(({ text }) => GIT_RUNS.test(text));
}

/** Whether a text contains a quoted substitution, which is carried out by whatever expands the text. */
function mayRun({ text, kind }: ShellWord): boolean {
  if (kind !== 'unknown') return /\$\(|`/.test(text);
  return text.startsWith('[[') && /['\\]/.test(text) && /\$\(|`/.test(text);
}

/** Options, including abbreviated ones, that give a program something to run. */
const RUNS_BY_OPTION: readonly { programs: RegExp; option: RegExp; script?: (text: string) => boolean }[] = [
  {
    programs: /^(npx|npm|pnpm|pnpx|yarn|bunx)$/,
    option: /^(-[a-z]*c|--ca[l]*(=.*)?|--sh[\w-]*|--script-sh[\w-]*|--git(=.*)?)$|^--(script-sh|shell|call)/,
  },
  {
    programs: /^(bsd|g)?tar$/,
    option: /^-[a-zA-Z]*[IF]|^[cxtru][a-zA-Z]*[IF]|^--(to-|checkpoint-a|use-c|rsh|rmt|new-v|info)/,
  },
  { programs: /^(g?sort|g?split)$/, option: /^--(comp|fil)/ },
  {
    programs: /^g?sed$/,
    option: /(^|[;{}\n])[\d$,!~\s]*(\/[^/\n]*\/[\d$,!~\s]*){0,2}e(\s|[;}]|$)/,
    script: runsReplaced,
  },
  { programs: /^(guile|sbcl|racket)$/, option: /^-[ce]|^--eval/ },
  { programs: /^g?make$/, option: /^[A-Za-z_]\w*[:+?]?=|^-[a-zA-Z]*E|^--ev/ },
  { programs: /^(ssh|scp|sftp|rsync)$/, option: /^-[a-zA-Z]*[oSeD]|^--rs|\s/ },
  { programs: /^(nc|ncat|netcat)$/, option: /^-[a-zA-Z]*[ec]|^--(sh-)?exec/ },
  {
    programs: /^(man|pandoc|nano|emacs|wget)$/,
    option: /^-[a-zA-Z]*[PFHLsel]|^--(pager|filter|lua|pdf-engine|eval|load|use-ask|exec)/,
  },
  { programs: /^(python|pypy)[\d.]*$/, option: /^(-m)?(timeit|pdb|code|cProfile|profile|trace|runpy)$/ },
  { programs: /^(just|rake|vagrant|chokidar|mise|task)$/, option: /^-[a-z]*[ce]|^--(command|shell|execute)|\s/ },
  { programs: /^java$/, option: /^-XX:(On|Flags)/ },
  { programs: /^socat$/, option: /EXEC|SYSTEM|SHELL/i },
  { programs: /^(sqlite3|duckdb)$/, option: /^-(cmd|init)$|\bedit\s*\(|^\s*\.|\n[^\S\n]*\./ },
  { programs: /^psql$/, option: /\\|^-[a-zA-Z]*f|^--file|program/i },
  { programs: /^(mysql|mariadb)$/, option: /\\|\bsystem\b|\bsource\b|^--pager/i },
  { programs: /^(n?vim?|view|vimdiff|ex|less|more|most)$/, option: /^\+|^-[a-zA-Z]*[cS]|^--(cmd|remote)/ },
  {
    programs: /^(dc|lldb|gnuplot|octave|ocaml|swipl|mix|rails|php|m4)$/,
    option: /^-[a-zA-Z]*[eEogr]|^--(eval|exe|one)|^(run|runner|tinker)$/,
  },
  { programs: /^(crystal|nix)$/, option: /^(eval|run|shell|develop)$/ },
  { programs: /^(fzf|sk|bat|batcat|delta|ag|ack|glow)$/, option: /^--(preview|bind|pager|listen|with-shell|execute)/ },
  { programs: /^(go|cargo)$/, option: /^--?(exec|toolexec|vettool|config|overlay)/ },
  { programs: /^(gcc|g\+\+|cc|c\+\+|clang(\+\+)?)$/, option: /^-(wrapper|fplugin|specs|B)|^@/ },
  { programs: /^(ansible\w*|tcpdump)$/, option: /^-[a-zA-Z]*[aez]/ },
  { programs: /^(hg|svn)$/, option: /^--(config|diff|editor|merge)/ },
  { programs: /^(at|batch)$/, option: /^/ },
  { programs: /^(yt-dlp|youtube-dl|aria2c)$/, option: /^--(exec|on-)/ },
  { programs: /^gh$/, option: /^alias$/ },
  { programs: /^(rg|ripgrep)$/, option: /^--(pre|hostname-bin)/ },
  { programs: /^(apt(-get|itude)?|dpkg|rpm|nim|stack)$/, option: /invoke|^--eval|^eval$|^-E|-logger/i },
  { programs: /^sops$/, option: /^exec-/ },
];

/** Programs that execute commands in what they read. */
const READS = /^(crontab|at|batch|make|gmake)$/;

/** Returns true for a command that executes its input, or may: it has nothing else to do, or is told to. */
function readsCommands(words: readonly ShellWord[]): boolean {
  const name = programName(words[0]);
  if (!READS.test(name) && !READS_COMMANDS.test(name)) return false;
  const isDatabase = DATABASES.test(name);
  const operands = words
    .slice(1)
    .filter(
      ({ text }, at) =>
        (!text.startsWith('-') || text === '-') && !(isDatabase && /^-[a-zA-Z]$/.test(words[at]?.text ?? '')),
    );
  const isInput = words.some(({ text }) => text === '-' || /^\/(dev|proc)\/|^-f-$/.test(text));
  if (isInput || /^(ed|red|ex|batch|m4|[ls]?ftp)$/.test(name)) return true;
  if (/^g?make$/.test(name))
    return words.some(
      ({ text, kind }, at) =>
        kind !== 'exact' && /^(-f|--file|--makefile)$/.test(words[at - 1]?.text ?? '') && text !== '',
    );
  // Most take the database as their operand, and what they do from their input then.
  const most = isDatabase ? 1 : 0;
  return operands.length <= most && words.slice(1).every(({ text }) => !/^(-c|-l|-e|--\w+)/.test(text));
}

/** Returns true for a sed script that runs the result of a replacement: `s/a/b/e`, with any separator. */
function runsReplaced(script: string): boolean {
  return script.split('\n').some((line) =>
    [...new Set(Array.from(line.matchAll(/s([^\w\s])/g), ([, sign = '']) => sign))].some((sign) => {
      const [, , ...ends] = line.slice(line.indexOf(`s${sign}`) + 2).split(sign);
      return ends.some((end) => /^[gpiImM\d]*e/.test(end));
    }),
  );
}

/**
 * Programs that pass what they are given to a shell: in a container, on another machine, in another window, or in an environment.
 * `by`: only with one of these words, for programs that do much else.
 */
const HANDS_ON: readonly { programs: RegExp; by?: RegExp }[] = [
  {
    programs: /^(docker(-compose)?|podman(-compose)?|nerdctl|kubectl|oc|crictl|lxc|incus|multipass|machinectl)$/,
    by: /^(exec|run|debug|shell)$/,
  },
  { programs: /^(gcloud|gh|fly(ctl)?|heroku|vagrant)$/, by: /^(ssh|run(:\w+)?)$/ },
  { programs: /^(npm|pnpm|yarn|bun|mise|rtx)$/, by: /^(exec?|x|dlx)$/ },
  {
    programs:
      /^(npx|pnpx|bunx|cross-env-shell|npm-run-all2?|run-[ps]|dotenv|env-cmd|doppler|infisical|chamber|aws-vault|op)$/,
  },
  {
    programs:
      /^(ssh|autossh|mosh|et|rsh|remsh|plink|sshpass|p?dsh|pssh|parallel-ssh|clush|ansible|salt|fab|inv(oke)?|cap)$/,
  },
  { programs: /^(toolbox|distrobox|flatpak(-spawn)?|adb|wsl|direnv|asdf|conda|mamba|micromamba|hatch|pixi)$/ },
  {
    programs: /^(x-terminal-emulator|xterm|u?rxvt|kitty|alacritty|wezterm|foot|konsole|gnome-terminal|xfce4-terminal)$/,
  },
  {
    programs:
      /^(zellij|tmux|screen|start|open|retry|unbuffer|xvfb-run|sg|newgrp|logsave|lckdo|faketime|rlwrap|setarch)$/,
  },
];
/** Text of several words that may be read differently than it is written; plain words are found as they are. */
const VEILED_TEXT = /^(?=\S*\s)[^$`\\"'{?*[]*[$`\\"'{?*[]/;

/** Returns true for a command that passes text to a shell, if the content of that text is uncertain. */
function handsText(words: readonly ShellWord[]): boolean {
  const name = programName(words[0]);
  const [, ...given] = words;
  const hands = HANDS_ON.some(
    ({ programs, by }) => programs.test(name) && (!by || given.some(({ text }) => by.test(text))),
  );
  return hands && given.some(({ text, kind }) => kind === 'exact' && VEILED_TEXT.test(text));
}

/** Options with which programs of every kind are given something to run, and whose value may be in the same word. */
const CODE_OPTION = /^(-[ceE]|--(eval|evaluate|exec|execute|command|cmd|run|script|shell|expr|expression|call)(?==|$))/;
/** Programs for which such an option means something else: an expression to look for, a switch, or an encoding. */
const NO_CODE =
  /^(g?grep|[efz]grep|rg|ripgrep|ag|ack|jq|gojq|yq|xq|pgrep|pkill|git|gh|docker|podman|kubectl|helm|echo|printf|curl|wget|ls|cut|head|tail|sort|find|zip|unzip|mvn|mvnw|gcc|g\+\+|clang|clang\+\+|cc|ssh|scp|rsync|systemctl|journalctl|ps|df|du|wc|stat|cat|diff|make|cmake|ctest|ping|npm|pnpm|yarn|tsc|eslint|prettier|jest|vitest|pytest|cargo|go|psql|mysql|mariadb|duckdb|sqlite3)$/;
/** Code: text of several words that is no plain sentence, or a call. */
const CODE = /^\S*\s[^]*[$`\\"'{[(]|^[^\s]*[([{`"'$\\]/;

/** Returns true for an otherwise unknown program that is given program text by an option. */
function isGivenCode(words: readonly ShellWord[]): boolean {
  if (NO_CODE.test(programName(words[0]))) return false;
  return words.slice(1).some(({ text }, at) => {
    const [option] = CODE_OPTION.exec(text) ?? [];
    if (option === undefined) return false;
    const glued = text.slice(option.length).replace(/^=/, '');
    return CODE.test((glued === '' ? words[at + 2]?.text : glued) ?? '');
  });
}

/** Anything longer is not a plain option, so it counts without being looked at. */
const MOST_VALUE = 500;

/** Returns true for a command that is given something to run by one of its options, or may be. */
export function runsByOption(words: readonly ShellWord[]): boolean {
  const name = programName(words[0]);
  const found = RUNS_BY_OPTION.find(({ programs }) => programs.test(name));
  if (!found) return false;
  const dashes = words.findIndex(({ text }) => text === '--');
  return words
    .slice(1, dashes === -1 ? undefined : dashes)
    .some(({ text }) => text.length > MOST_VALUE || found.option.test(text) || found.script?.(text) === true);
}
