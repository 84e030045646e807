import type { ShellPart, ShellWord } from './shellPart';
import type { ShellKind } from './shellParts';
import { runsFile, steersByGit } from './steeringVariables';
import { givenOptions, operandsOf } from './touched/changed';
import { behindOptionsOfGit } from './touched/changedByGit';
import { programName, type UnwrappedCommand } from './unwrapCommand';

/** Variables that name a file with settings of Git, or include one; empty or of a device, it has none. */
const NAMES_FILE = /^GIT_CONFIG(_GLOBAL|_SYSTEM)?\+?=(?!$|\/dev\/null$)/i;
const HOLDS_SETTINGS = /^GIT_CONFIG_(VALUE|KEY|PARAMETERS)\w*=(.*)$/is;
/** Variables that name a folder in which Git looks for such a file. */
const NAMES_FOLDER = /^(HOME|XDG_CONFIG_HOME)\+?=./;
/** Settings of Git that name such a file. */
const INCLUDES = /^include(if\..*)?\.path=/is;
/** How PowerShell and cmd set such a variable. */
const ON_WINDOWS = /\bGIT_CONFIG(_GLOBAL|_SYSTEM)?\b["']?\s*[=,]\s*(?!["']?(nul|\/dev\/null|\$null)?["']?\s*(,|$))/i;
const SETS = /^(export|declare|typeset|local|readonly|set|setenv)$/;
const WHY = 'With it, Git reads settings from another file, and they may run commands.';

const WHY_RUN = 'With it, Git runs a program that is not installed.';
const WHY_OTHER = 'With it, Git runs what the settings and hooks of another repository say.';
const STARTERS = /^(-u|--upload-p\w*|--receive-p\w*|--exec|-x|--extcmd|-O|--open-f\S*)$/;
/** Where another program of the user is named by one letter, which means something else elsewhere. */
const BY_LETTER: Readonly<Record<string, string>> = { clone: '-u', difftool: '-x', grep: '-O' };

/**
 * Returns why a command always asks if it says where Git finds its settings or its repository, or what it starts, as a sentence;
 * null if it does not. Aliases, pager, and hooks that are there are not in the line.
 */
export function gitSettings(
  part: ShellPart,
  { layers, assignments }: UnwrappedCommand,
  shell: ShellKind,
): string | null {
  if (shell === 'windows' && part.text.includes('GIT_CONFIG') && ON_WINDOWS.test(part.text)) return WHY;
  const command = layers.at(-1) ?? [];
  const name = programName(command[0]);
  const set = [...part.assignments, ...assignments, ...(SETS.test(name) ? command.slice(1) : [])];
  const isGit = name === 'git' || name.startsWith('git-');
  const isSet = ({ text }: ShellWord) =>
    NAMES_FILE.test(text) || includesFile(text) || (isGit && NAMES_FOLDER.test(text));
  if (set.some(isSet) || (isGit && command.some(({ text }) => INCLUDES.test(text)))) return WHY;
  return isGit
    ? startedByGit(name === 'git' ? command.slice(1) : [{ text: name.slice(4), kind: 'exact' }, ...command.slice(1)])
    : null;
}

function includesFile(text: string): boolean {
  const settings = HOLDS_SETTINGS.exec(text)?.[2]?.toLowerCase() ?? '';
  const conditional = settings.indexOf('includeif.');
  return settings.includes('include.path') || (conditional >= 0 && settings.includes('.path', conditional));
}

function startedByGit(words: readonly ShellWord[]): string | null {
  const at = behindOptionsOfGit(words);
  const [before, [first, ...rest]] = [words.slice(0, at), words.slice(at)];
  if (before.some(({ text }) => /^--(git-dir(=|$)|exec-path=)/.test(text))) return WHY_OTHER;
  const settings = before.map(({ text }) => text.replace(/^--config-env=(.*)=.*$/s, '$1=./'));
  if (settings.some(steersByGit)) return WHY_RUN;
  const subcommand = first?.text ?? '';
  const started = givenOptions(rest, 'uxO').filter(
    ({ option }) => STARTERS.test(option) && (option.length > 2 || BY_LETTER[subcommand] === option),
  );
  if (started.some(({ value }) => value && runsFile(value.text))) return WHY_RUN;
  const operands = operandsOf(rest, 'posix');
  if (operands.some(({ text }) => /^(ext|fd)::/.test(text))) return WHY_RUN;
  const isPushed = subcommand === 'push' && /^(\.{0,2}\/|file:)/.test(operands[0]?.text ?? '');
  return isPushed ? WHY_OTHER : null;
}
