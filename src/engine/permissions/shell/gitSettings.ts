import type { ShellPart, ShellWord } from './shellPart';
import type { ShellKind } from './shellParts';
import { programName, type UnwrappedCommand } from './unwrapCommand';

/** Variables that name a file with settings of Git, or include one; empty or of a device, it has none. */
const NAMES_FILE =
  /^GIT_CONFIG(_GLOBAL|_SYSTEM)?\+?=(?!$|\/dev\/null$)|^GIT_CONFIG_(VALUE|KEY|PARAMETERS)\w*=.*include(if\..*)?\.path/is;
/** Variables that name a folder in which Git looks for such a file. */
const NAMES_FOLDER = /^(HOME|XDG_CONFIG_HOME)\+?=./;
/** Settings of Git that name such a file. */
const INCLUDES = /^include(if\..*)?\.path=/is;
/** How PowerShell and cmd set such a variable. */
const ON_WINDOWS = /\bGIT_CONFIG(_GLOBAL|_SYSTEM)?\b["']?\s*[=,]\s*(?!["']?(nul|\/dev\/null|\$null)?["']?\s*(,|$))/i;
const SETS = /^(export|declare|typeset|local|readonly|set|setenv)$/;
const WHY = 'With it, Git reads settings from another file, and they may run commands.';

/**
 * Returns why a command always asks if it says where Git finds its settings, as a sentence; null if it does not. Their aliases,
 * pager, and hooks are not in the line.
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
  const isSet = ({ text }: ShellWord) => NAMES_FILE.test(text) || (isGit && NAMES_FOLDER.test(text));
  return set.some(isSet) || (isGit && command.some(({ text }) => INCLUDES.test(text))) ? WHY : null;
}
