import type { ShellPart, ShellWord } from '../shellPart';
import { programName } from '../unwrapCommand';

/** Variables that say what the names of commands mean, or what zsh runs for a redirection without a command. */
const MEANINGS =
  /^((dis_)?([gs]?aliases|functions(_source)?|commands|builtins)|BASH_(CMDS|ALIASES))(\[|\+?=)|^(READ)?NULLCMD=/;
const DECLARES = /^(export|declare|typeset|local|readonly|set)$/;

/** Returns why later commands may not be what their names say, as a sentence; null if nothing speaks for that. */
export function renamed({ assignments }: ShellPart, command: readonly ShellWord[]): string | null {
  const [program, ...rest] = command;
  const name = programName(program);
  const set = DECLARES.test(name) ? [...assignments, ...rest] : assignments;
  const isRenamed =
    set.some(({ text }) => MEANINGS.test(text)) ||
    (/^(alias|hash)$/.test(name) && rest.some(({ text }) => text.includes('=') || /^-[a-z]*p/.test(text))) ||
    (name === 'enable' && rest.some(({ text }) => /^-[a-z]*f/.test(text)));
  return isRenamed ? 'It changes what later commands mean.' : null;
}
