import type { ShellWord } from './shellPart';
import { programName } from './unwrapCommand';

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
const MOST_TEXT = 500;

/** True for a command that is given something to run by one of its options, or may be. */
export function runsByOption(words: readonly ShellWord[]): boolean {
  const name = programName(words[0]);
  const found = RUNS_BY_OPTION.find(({ programs }) => programs.test(name));
  if (!found) return false;
  const dashes = words.findIndex(({ text }) => text === '--');
  return words
    .slice(1, dashes === -1 ? undefined : dashes)
    .some(({ text }) => text.length > MOST_TEXT || found.option.test(text));
}
