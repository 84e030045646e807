import type { ShellWord } from '../shellPart';
import { programName } from '../unwrapCommand';
import { type ChangedWords, NOTHING } from './changed';

/** Variables that name a file or a folder for programs to write to. */
const WRITES =
  /^(GIT_(DIR|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|TRACE\w*)|SSLKEYLOGFILE|NODE_V8_COVERAGE|LLVM_PROFILE_FILE|PYTHONPYCACHEPREFIX|GCOV_PREFIX|HISTFILE|LD_DEBUG_OUTPUT|MALLOC_TRACE)$/;
/** Variables that make Git write elsewhere, or put what it later runs into a new repository. */
const MOVES = /^GIT_(WORK_TREE|TEMPLATE_DIR)$/;
/** Variables that contain options which make programs run files. */
const HOLDS_OPTIONS = /^(NODE_OPTIONS|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS)$/;
const AWAY = /^([/~]|(.*\/)?\.\.(\/|$))/;
const MOVING_SETTING = /^'?(core\.worktree|init\.templatedir)/i;

/** Variables that name a file or folder with code or settings for programs, or in which some store their data. */
const STEERS =
  /^(BASH_ENV|ENV|ZDOTDIR|HOME|XDG_\w+_HOME|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|PYTHONSTARTUP|GIT_(SSH|ASKPASS|PROXY_COMMAND|CONFIG_(GLOBAL|SYSTEM)))$/;

/** Returns what a command, or a later one, touches because of the variables that are set before it or that its words may set. */
export function changedByVariables(set: readonly ShellWord[], words: readonly ShellWord[]): ChangedWords {
  const own = new Set(/^(export|declare|typeset|local|readonly)$/.test(programName(words[0])) ? words : []);
  const changed: ShellWord[] = [];
  for (const word of [...set, ...words]) {
    const [, name = '', value = ''] = /^(\w+)\+?=(.*)$/s.exec(word.text) ?? [];
    if (value === '') continue;
    if (MOVES.test(name) || (/^GIT_CONFIG_/.test(name) && MOVING_SETTING.test(value)))
      return { ...NOTHING, unknown: word.text };
    const isSet = own.has(word) || set.includes(word);
    const steersAway = word.kind === 'exact' && isSet && STEERS.test(name) && AWAY.test(value);
    const options = HOLDS_OPTIONS.test(name) ? value.split(/[\s=:]+|^-[rM]|(?<=\s)-[rM]/) : [];
    changed.push(...options.filter((one) => AWAY.test(one)).map((text): ShellWord => ({ text, kind: word.kind })));
    if (WRITES.test(name) || steersAway) changed.push({ text: value, kind: word.kind });
  }
  return changed.length > 0 ? { ...NOTHING, changed } : NOTHING;
}
