import type { ShellWord } from './shellPart';
import { programName } from './unwrapCommand';

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
    option: /^-[a-zA-Z]*[PFsel]|^--(pager|filter|lua|eval|load|use-ask|exec)/,
  },
  { programs: /^(python|pypy)[\d.]*$/, option: /^(-m)?(timeit|pdb|code|cProfile|profile|trace|runpy)$/ },
  { programs: /^(just|rake|vagrant|chokidar|mise|task)$/, option: /^-[a-z]*[ce]|^--(command|shell|execute)|\s/ },
  { programs: /^java$/, option: /^-XX:(On|Flags)/ },
  { programs: /^socat$/, option: /EXEC|SYSTEM|SHELL/i },
  { programs: /^(sqlite3|duckdb)$/, option: /^-(cmd|init)$|^\s*\.|\n[^\S\n]*\./ },
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
];

/** Programs that execute commands in what they read. */
const READS =
  /^(ed|ex|red|dc|bc|m4|sqlite3|duckdb|psql|mysql|mariadb|gnuplot|octave|lldb|gdb|crontab|at|batch|tclsh|ocaml|swipl|make|gmake)$/;

/** Returns true for a command that executes its input, or may: it has nothing else to do, or is told to. */
export function readsCommands(words: readonly ShellWord[]): boolean {
  const name = programName(words[0]);
  if (!READS.test(name)) return false;
  const operands = words.slice(1).filter(({ text }) => !text.startsWith('-') || text === '-');
  const isInput = words.some(({ text }) => text === '-' || /^\/(dev|proc)\/|^-f-$/.test(text));
  if (isInput || /^(ed|red|batch|m4)$/.test(name)) return true;
  if (/^g?make$/.test(name))
    return words.some(
      ({ text, kind }, at) =>
        kind !== 'exact' && /^(-f|--file|--makefile)$/.test(words[at - 1]?.text ?? '') && text !== '',
    );
  return operands.length === 0 && words.slice(1).every(({ text }) => !/^(-c|-l|-e|--\w+)/.test(text));
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
export function handsText(words: readonly ShellWord[]): boolean {
  const name = programName(words[0]);
  const [, ...given] = words;
  const hands = HANDS_ON.some(
    ({ programs, by }) => programs.test(name) && (!by || given.some(({ text }) => by.test(text))),
  );
  return hands && given.some(({ text, kind }) => kind === 'exact' && VEILED_TEXT.test(text));
}

/** Anything longer is not a plain option, so it counts without being looked at. */
const MOST_TEXT = 500;

/** Returns true for a command that is given something to run by one of its options, or may be. */
export function runsByOption(words: readonly ShellWord[]): boolean {
  const name = programName(words[0]);
  const found = RUNS_BY_OPTION.find(({ programs }) => programs.test(name));
  if (!found) return false;
  const dashes = words.findIndex(({ text }) => text === '--');
  return words
    .slice(1, dashes === -1 ? undefined : dashes)
    .some(({ text }) => text.length > MOST_TEXT || found.option.test(text) || found.script?.(text) === true);
}
