import { dangerousForm } from './dangerousForms';
import { knownUse } from './knownUse';
import { PosixReader } from './posixReader';
import type { ShellPart, ShellWord } from './shellPart';
import { programName, unwrapCommand } from './unwrapCommand';

/** Builtins that take text for arithmetic, or expand it once more. */
const EVALUATING =
  /^(test|\[|\[\[|printf|print|read|let|declare|typeset|local|integer|float|export|readonly|unset|exit|return|shift)$/;
/** Variables of zsh that say what names mean. */
const MEANINGS = /^(dis_)?([gs]?aliases|functions(_source)?|commands|builtins)(\[|\+?=)/;
const GIT_RUNS = /^(bisect|submodule|filter-branch|filter-repo|difftool|mergetool)$/;

/** Variables that say what git reads or starts, by files or by words. */
const STEERS_GIT = /^(GIT_(CONFIG\w*|DIR|EXEC_PATH|COMMON_DIR)|HOME|XDG_CONFIG_HOME)=/;
/** Starts a shell, or what reads program text, by its name alone. */
const READS_PROGRAMS =
  /^((ba|da|k|z|a|fi|c|tc)?sh|pwsh|eval|source|\.|xargs|env|node|python[\d.]*|perl|ruby|php|lua|base64|xxd|rev)$/;
const MOST_TEXT = 5000;

/**
 * Why a command that a rule denies may hide in what a command is given, as a sentence; null when it cannot. `isJudged`: what it
 * runs of that was taken apart; `isInert`: it runs nothing of it.
 */
export function hiddenCommand(
  part: ShellPart,
  layers: readonly (readonly ShellWord[])[],
  { isJudged, isInert }: { isJudged: boolean; isInert: boolean },
): string | null {
  if (part.assignments.some(({ text }) => MEANINGS.test(text))) return 'It changes what later commands mean.';
  if (!isJudged && layers.some(runsText)) return 'It runs text that is judged by nobody.';
  if (steersGit(part, layers)) return 'It changes what git reads.';
  const evaluates = layers.some(([program]) => EVALUATING.test(programName(program)));
  const given = isJudged || (isInert && !evaluates) ? [] : [...part.words, ...part.inputs];
  const set = part.assignments.map(({ text, kind }) => ({ text: text.replace(/^\w+\+?=/, ''), kind }));
  return [...part.assignments, ...given].some(mayRun) || [...set, ...given].some(isScript)
    ? 'It may run what stands in its arguments.'
    : null;
}

function steersGit({ assignments }: ShellPart, layers: readonly (readonly ShellWord[])[]): boolean {
  const starts = layers.some(([program]) => /^(git|export|declare|typeset|readonly|set)$/.test(programName(program)));
  return starts && [...assignments, ...layers.flat()].some(({ text }) => STEERS_GIT.test(text));
}

/** Text that is a shell line in which something is handed to what runs it, and so may be one, whoever is given it. */
function isScript({ text }: ShellWord): boolean {
  if (!/[|;&<$`(]/.test(text) || !/\s/.test(text) || text.length > MOST_TEXT) return false;
  return PosixReader.read(text).parts.some(({ words }) =>
    unwrapCommand(words).layers.some(([program]) => READS_PROGRAMS.test(programName(program))),
  );
}

function runsText(words: readonly ShellWord[]): boolean {
  if (dangerousForm(words)?.hides) return true;
  const name = programName(words[0]);
  if (runsByOption(words)) return true;
  if (/^[gmn]?awk$/.test(name)) return knownUse(words).caution !== null;
  return name === 'git' && words.some(({ text }) => GIT_RUNS.test(text));
}

/** A substitution that was quoted, and so is carried out by whoever expands the text. */
function mayRun({ text, kind }: ShellWord): boolean {
  if (kind !== 'unknown') return /\$\(|`/.test(text);
  return text.startsWith('[[') && /['\\]/.test(text) && /\$\(|`/.test(text);
}

/** Options, also abbreviated ones, behind which a program is given something to run. */
const RUNS_BY_OPTION: readonly { programs: RegExp; option: RegExp }[] = [
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
    option: /(^|[;{}\n])[\d$,!~\s]*(\/[^/\n]*\/[\d$,!~\s]*){0,2}e(\s|[;}]|$)|s([^\w\s])[^\n]*\4[^\n]*\4[gpiImM\d]*e/,
  },
  { programs: /^(guile|sbcl|racket)$/, option: /^-[ce]|^--eval/ },
  { programs: /^g?make$/, option: /^[A-Za-z_]\w*[:+?]?=|^-[a-zA-Z]*E|^--ev/ },
  { programs: /^(ssh|scp|sftp|rsync)$/, option: /^-[a-zA-Z]*[oSe]|^--(rsh|rsync-path)/ },
  { programs: /^(nc|ncat|netcat)$/, option: /^-[a-zA-Z]*[ec]|^--(sh-)?exec/ },
  {
    programs: /^(man|pandoc|nano|emacs|wget)$/,
    option: /^-[a-zA-Z]*[PFsel]|^--(pager|filter|lua|eval|load|use-ask|exec)/,
  },
  { programs: /^(python|pypy)[\d.]*$/, option: /^(-m)?(timeit|pdb|code|cProfile|profile|trace|runpy)$/ },
  { programs: /^(just|rake|vagrant|chokidar|mise|task)$/, option: /^-[a-z]*[ce]|^--(command|shell|execute)|\s/ },
  { programs: /^socat$/, option: /EXEC|SYSTEM|SHELL/i },
  { programs: /^(at|batch)$/, option: /^/ },
];

/** What is longer is no plain option, and is not looked at. */
const MOST_OPTION = 500;

/** True for a command that is given something to run by one of its options, or may be. */
function runsByOption(words: readonly ShellWord[]): boolean {
  const name = programName(words[0]);
  const found = RUNS_BY_OPTION.find(({ programs }) => programs.test(name));
  if (!found) return false;
  const dashes = words.findIndex(({ text }) => text === '--');
  return words
    .slice(1, dashes === -1 ? undefined : dashes)
    .some(({ text }) => text.length > MOST_OPTION || found.option.test(text));
}
