import { awayWords, changedWords, isKnownToChange, launchedWords } from '../changedWords';
import { knownUse } from '../knownUse';
import type { ShellPart, ShellRedirection, ShellWord } from '../shellPart';
import type { ShellKind } from '../shellParts';
import { type CertainValues, withCertain } from '../started/certainValues';
import { programName, type UnwrappedCommand } from '../unwrapCommand';
import { type ChangedWords, NOTHING } from './changed';
import { requestedFiles } from './requestedFiles';

/**
 * A file that the shell opens for a command, or that the command itself touches. `change` is written; `remove` and `copy` include
 * everything in the file; `use` is only named; `reach` is named by a command that may write to it; `enter` is a folder that the
 * line changes to, or a script; `option` is a pattern that, in one of the paths, may match a name that the command takes for an
 * option; `name` only may be a path, wherever in the words it is; `repository` is a folder in which Git looks for one.
 */
export interface TouchedFile {
  kind: 'read' | 'write' | 'remove' | 'change' | 'copy' | 'use' | 'reach' | 'enter' | 'option' | 'name' | 'repository';
  /** As written. */
  text: string;
  /** Every path it may mean, relative to the workspace; null if that cannot be known. */
  paths: readonly string[] | null;
  /** The paths are patterns, and everything that these match is meant. */
  isPattern?: true;
}

/** The folders that a command may run in, relative to the workspace; null if they cannot be known. */
export type Folders = readonly string[] | null;

/** A command without its wrappers; `isInert`: it changes and runs nothing. */
interface TouchingCommand {
  part: ShellPart;
  unwrapped: UnwrappedCommand;
  isInert: boolean;
}

/** `folders` is where the command runs, `before` where the line is before it. */
interface TouchingPlace {
  shell: ShellKind;
  folders: Folders;
  before: Folders;
  certain: CertainValues;
}

const NO_FILE = /^\/dev\/(null|stdin|stdout|stderr|tty|fd\/\d+)$/;
/** Matches every file in the folder, as `*` does. */
const ALL_HERE = /^(\.\/+|[^/.][^/]*\/+\.\.\/+)+[*?]+$/;
const PATTERN = { isPattern: true } as const;
/** Anything longer is not a path on any system. */
const MAX_PATH = 4096;

/** Returns what the redirections and the words of a command touch. */
export function touchedFiles(touching: TouchingCommand, place: TouchingPlace): TouchedFile[] {
  const { part, unwrapped, isInert } = touching;
  const { shell, folders, before, certain } = place;
  const command = withCertain(unwrapped.layers.at(-1) ?? [], certain);
  return [
    ...changedFiles(touching, place),
    ...usedFiles(command, folders),
    ...(shell === 'posix' ? optionPatterns(command, folders) : []),
    ...(isInert ? [] : reachedFiles(command, before, shell)),
    ...namedFiles([...part.words.slice(1), ...part.inputs], folders),
    ...repositories(command, folders),
  ];
}

/** Returns what a command opens, changes, and removes, without what it only names. */
export function changedFiles({ part, unwrapped, isInert }: TouchingCommand, place: TouchingPlace): TouchedFile[] {
  const { shell, folders, certain } = place;
  const layers = unwrapped.layers.map((words) => withCertain(words, certain));
  const command = layers.at(-1) ?? [];
  const launched = isInert ? [] : launchedWords(command);
  const set = [...part.assignments, ...unwrapped.assignments];
  const changed = [
    ...[...layers, launched].map((words) => changedWords(words, shell)),
    changedByVariables(set, isInert ? [] : part.words),
  ];
  const away = isInert ? [] : awayWords(command, shell).filter(({ text }) => !NO_FILE.test(text));
  return [
    ...part.redirections.flatMap((one) => redirectedFile(one, folders, certain)),
    ...changed.flatMap((one) => filesOf(one, folders)),
    ...away.map((word) => touchedFile('change', word, folders)),
    ...requestedFiles(command).map(({ kind, target }) => touchedFile(kind, target, folders)),
  ];
}

function redirectedFile(
  { kind, target: written }: ShellRedirection,
  folders: Folders,
  certain: CertainValues,
): TouchedFile[] {
  const [target = written] = withCertain([written], certain);
  const { text } = target;
  if (target.kind === 'exact' && NO_FILE.test(text)) return [];
  if (target.kind !== 'exact' || text === '') return [{ kind, text, paths: null }];
  return [{ kind, text, paths: pathsOf(text, folders) }];
}

function filesOf({ removed, changed, copied, unknown }: ChangedWords, folders: Folders): TouchedFile[] {
  const ofKind = (kind: TouchedFile['kind'], words: readonly ShellWord[]) =>
    words.filter((word) => !NO_FILE.test(word.text)).map((word) => touchedFile(kind, word, folders));
  return [
    ...ofKind('remove', removed),
    ...ofKind('change', changed),
    ...ofKind('copy', copied),
    ...(unknown === null ? [] : [{ kind: 'change', text: unknown, paths: null } as const]),
  ];
}

/** A pattern is treated like a name in its folder, unless it may match hidden files there or begins with the home folder. */
function touchedFile(kind: TouchedFile['kind'], { text, kind: known }: ShellWord, folders: Folders): TouchedFile {
  // A path with the braces of find is below the folder that find searches, which is judged as a whole.
  const isFound = known === 'unknown' && /^[\w./-]*\{\}[\w./-]*$/.test(text);
  const isAll = kind === 'remove' && known === 'glob' && ALL_HERE.test(text);
  const isKnown = known === 'exact' || isFound ? text !== '' : known === 'glob' && !/^~|(^|\/)\.[^/]*[*?[]/.test(text);
  return { kind, text, paths: isKnown && !isAll ? pathsOf(text, folders) : null, ...(known === 'glob' && PATTERN) };
}

/** Returns what the words may name: these are only checked for links to something protected. */
function usedFiles(command: readonly ShellWord[], folders: Folders): TouchedFile[] {
  const enters = entersOf(command);
  const files = namingWords(command).flatMap(({ text, kind }): TouchedFile[] => {
    if (kind === 'unknown' || text.length > MAX_PATH) return [];
    // A pattern that find compares names with is not a path, and what find runs is judged separately.
    const isPattern = kind === 'exact' && /[*?[]/.test(text) && /^g?find$/.test(programName(command[0]));
    if (isPattern) return [];
    const path = text.replace(/^-{1,2}[\w-]+=/, '');
    if (!isPath(kind === 'exact' ? path : path.replaceAll(/[*?]/g, '_')) || leavesOut(text)) return [];
    return [{ kind: 'use', text, paths: pathsOf(path, folders) ?? [path], ...(kind !== 'exact' && PATTERN) }];
  });
  return [...enters.map((word) => touchedFile('enter', word, folders)), ...files];
}

/** Returns patterns that match names with a leading dash which the command would take for options. */
function optionPatterns(command: readonly ShellWord[], folders: Folders): TouchedFile[] {
  const dashes = command.findIndex(({ text }) => text === '--');
  const before = command.slice(1, dashes === -1 ? undefined : dashes);
  const patterns = before.filter(
    ({ text, kind }) => kind === 'names' || (kind !== 'exact' && /^-[^$`{]*[*?[]/.test(text)),
  );
  if (patterns.length === 0 || knownUse(command).anyOption) return [];
  return patterns.map(({ text }) => ({ kind: 'option', text, paths: folders }));
}

/** True for a name that a command takes for an option. */
export function isOptionName(path: string): boolean {
  return path.startsWith('-', path.lastIndexOf('/') + 1);
}

/** Returns what a command with unknown effects may touch through a link or a protected name. */
function reachedFiles(command: readonly ShellWord[], folders: Folders, shell: ShellKind): TouchedFile[] {
  const kind = isKnownToChange(command, shell) ? 'use' : 'reach';
  return reachedPaths(command.slice(1)).map((text) => ({ kind, text, paths: pathsOf(text, folders) ?? [text] }));
}

const MOST_NAMED = 2000;
const MOST_LETTERS = 4;

/** Returns what may be a path in the words of a command or in its input, also directly after the letters of options. */
function namedFiles(words: readonly ShellWord[], folders: Folders): TouchedFile[] {
  const names = words.flatMap(({ text }) => {
    const isGlued = /^-[a-zA-Z]/.test(text);
    const glued = isGlued ? Array.from({ length: MOST_LETTERS }, (_, at) => text.slice(at + 2)) : [];
    return [text, ...text.split(BETWEEN), ...glued];
  });
  const all = [...new Set(names)].filter((one) => one !== '' && one.length <= MAX_NAME && !one.startsWith('-'));
  if (all.length > MOST_NAMED) return [{ kind: 'name', text: 'too many words', paths: null }];
  return all.map((text) => ({ kind: 'name', text, paths: pathsOf(text, folders) ?? [text] }));
}

/** Returns the folder in which a Git command looks for its repository. */
function repositories([program, ...rest]: readonly ShellWord[], folders: Folders): TouchedFile[] {
  const name = programName(program);
  if (!folders || (name !== 'git' && !name.startsWith('git-'))) return [];
  const moves = rest.flatMap(({ text }, at) => (text === '-C' ? (rest[at + 1]?.text ?? []) : []));
  const paths = folders.map((folder) => moves.reduce(below, folder));
  return [{ kind: 'repository', text: moves.at(-1) ?? '.', paths }];
}

/** Returns the words that may be paths: text that is printed or searched for is not. */
function namingWords([program, ...rest]: readonly ShellWord[]): readonly ShellWord[] {
  const name = programName(program);
  if (/^(echo|printf)$/.test(name)) return [];
  const isGiven = rest.some(({ text }) => /^-[a-zA-Z]*[ef]|^--(file|regexp|expression)/.test(text));
  const first =
    /^([ef]?grep|rg|g?sed|[gmn]?awk)$/.test(name) && !isGiven
      ? rest.findIndex(({ text }) => !text.startsWith('-'))
      : -1;
  return rest.filter((_, at) => at !== first);
}

/** A text that begins like a path is one, whatever follows; otherwise it is none if it has characters that are rare in names. */
function isPath(text: string): boolean {
  if (/^(\.{0,2}\/|~)/.test(text)) return true;
  return text !== '' && text.length < 300 && !/^-[^=]*$|[\s:|*?<>"]/.test(text);
}

/** Returns the folder or the script that determines what runs. */
function entersOf(command: readonly ShellWord[]): readonly ShellWord[] {
  const [program, ...rest] = command;
  const name = programName(program);
  if (/^(cd|chdir|pushd|popd)$/.test(name)) {
    const [target = { text: '~', kind: 'unknown' }] = rest.filter(({ text }) => !/^(-[LPe@]+|--)$/.test(text));
    return [target.text.startsWith('-') ? { ...target, kind: 'unknown' } : target];
  }
  if (/^(git|make|tar|npm|pnpm|yarn)$/.test(name)) {
    const at = rest.findIndex(({ text }) => /^(-C|--prefix|--cwd|--dir)$/.test(text));
    return at === -1 ? [] : rest.slice(at + 1, at + 2);
  }
  const isOwn = program?.kind === 'exact' && program.text.includes('/') && !program.text.startsWith('/');
  const script = /^((ba|da|k|z|a)?sh|node|nodejs|tsx|python[\d.]*|ruby|perl)$/.test(name)
    ? rest.find(({ text }) => !text.startsWith('-'))
    : undefined;
  return [...(isOwn ? [program] : []), ...(script ? [script] : [])];
}

function pathsOf(text: string, folders: Folders): readonly string[] | null {
  return text.startsWith('/') ? [text] : folders && folders.map((folder) => below(folder, text));
}

export function below(folder: string, path: string): string {
  return folder === '.' || path.startsWith('/') ? path : `${folder}/${path}`;
}

/** Options that say what to leave out. */
const LEAVES_OUT = /^--(exclude|ignore|skip|no)[\w-]*(=|$)/;

/** Returns true for an option that says what to leave out. */
export function leavesOut(text: string): boolean {
  return LEAVES_OUT.test(text);
}

/** Variables that name a file or a folder for programs to write to. */
const WRITES =
  /^(GIT_(DIR|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|TRACE\w*)|SSLKEYLOGFILE|NODE_V8_COVERAGE|LLVM_PROFILE_FILE|PYTHONPYCACHEPREFIX|GCOV_PREFIX|HISTFILE|LD_DEBUG_OUTPUT|MALLOC_TRACE)$/;
/** Variables that make Git write elsewhere, or put what it later runs into a new repository. */
const MOVES = /^GIT_(WORK_TREE|TEMPLATE_DIR)$/;
/** Variables that contain options which make programs run files. */
const HOLDS_OPTIONS = /^(NODE_OPTIONS|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS)$/;
/** Variables with options for Java, few of which name code. */
const HOLDS_JAVA = /^(_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_OPTS|(MAVEN|GRADLE|ANT|SBT|KOTLIN)_OPTS|MAVEN_ARGS)$/;
const JAVA_CODE =
  /(?:-javaagent:|-agentpath:|-Xbootclasspath\/?[ap]?:|@|-cp\s+|-classpath\s+|--(?:module|class)-path[=\s])([^\s=]+)/g;
const AWAY = /^([/~]|\$\{?HOME\b|(.*\/)?\.\.(\/|$))/;
const MOVING_SETTING = /^'?(core\.worktree|init\.templatedir)/i;

/** Variables that name a file or folder with code or settings for programs, or in which some store their data. */
const STEERS =
  /^(BASH_ENV|ENV|ZDOTDIR|HOME|XDG_\w+_HOME|LD_(PRELOAD|AUDIT)|DYLD_INSERT_LIBRARIES|PYTHONSTARTUP|GIT_(SSH|ASKPASS|PROXY_COMMAND|CONFIG_(GLOBAL|SYSTEM)))$/;
/** Variables that name folders to load code from, or files that are read as settings or code. */
const LOADS =
  /^(PYTHONPATH|PYTHON(HOME|USERBASE|PLATLIBDIR)|LD_LIBRARY_PATH|DYLD_\w+|NODE_PATH|PERL5LIB|PERLLIB|RUBYLIB|GEM_(HOME|PATH)|GIT_EXEC_PATH|CLASSPATH|LUA_C?PATH\w*|LUA_INIT\w*|(JULIA|GUILE)_LOAD_PATH|EMACSLOADPATH|TCLLIBPATH|OPENSSL_(CONF|MODULES|ENGINES)|GCONV_PATH|PHPRC|PHP_INI_SCAN_DIR|R_(PROFILE|ENVIRON|LIBS)\w*|MAKEFILES|INPUTRC|PSQLRC|CURL_HOME|WGETRC|SYSTEM_WGETRC|RIPGREP_CONFIG_PATH|BAT_CONFIG_PATH|KUBECONFIG|AWS_CONFIG_FILE|RUSTC|CARGO|GTK_MODULES|QT_PLUGIN_PATH|GIO_(EXTRA_MODULES|MODULE_DIR)|npm_config_(userconfig|globalconfig|script_shell|prefix|git|shell|node_options))$/i;
/** Variables that name a folder to write to, for which a folder of temporary files is usual. */
const STORES =
  /^(TMPDIR|TEMP|TMP|DESTDIR|INSTALL_ROOT|GOBIN|GOPATH|CARGO_(HOME|TARGET_DIR|INSTALL_ROOT)|RUSTUP_HOME|PIP_(TARGET|PREFIX)|npm_config_(prefix|cache)|YARN_CACHE_FOLDER)$/i;
const TEMPORARY = /^\/(tmp|var\/tmp|dev\/shm|private\/tmp|var\/folders)(\/|$)/;
/** Folders that only an administrator writes to. */
const OF_SYSTEM = /^\/(usr|opt|bin|sbin|lib\w*|etc|nix|snap|System|Library|Applications|home\/linuxbrew)(\/|$)/;
/** A folder of programs in which others may put some; that of the user is as usual as those of the system. */
const LENT = /^(\.\.(\/|$))|^.*\/\.\.(\/|$)/;

/** Returns what a command, or a later one, touches because of the variables that are set before it or that its words may set. */
function changedByVariables(set: readonly ShellWord[], words: readonly ShellWord[]): ChangedWords {
  const own = new Set(/^(export|declare|typeset|local|readonly)$/.test(programName(words[0])) ? words : []);
  const changed: ShellWord[] = [];
  for (const word of [...set, ...words]) {
    const [, name = '', value = ''] = /^(\w+)\+?=(.*)$/s.exec(word.text) ?? [];
    if (value === '') continue;
    if (MOVES.test(name) || (/^GIT_CONFIG_/.test(name) && MOVING_SETTING.test(value)))
      return { ...NOTHING, unknown: word.text };
    const isSet = own.has(word) || set.includes(word);
    changed.push(...namedAway(name, word, value).map((text): ShellWord => ({ text, kind: kindOf(text) })));
    const steersAway = word.kind === 'exact' && STEERS.test(name) && AWAY.test(value);
    if (WRITES.test(name) || (isSet && steersAway)) changed.push({ text: value, kind: word.kind });
    else if (isSet) changed.push(...loadedAway(name, value).map((text): ShellWord => ({ text, kind: kindOf(text) })));
  }
  return changed.length > 0 ? { ...NOTHING, changed } : NOTHING;
}

function kindOf(path: string): ShellWord['kind'] {
  return /[$~`]/.test(path) ? 'unknown' : 'exact';
}

/** Returns paths outside the folder among the options that a variable contains. */
function namedAway(name: string, { kind }: ShellWord, value: string): readonly string[] {
  const options = HOLDS_OPTIONS.test(name) ? value.split(/[\s=:]+|^-[rM]|(?<=\s)-[rM]/) : [];
  const java = HOLDS_JAVA.test(name) ? Array.from(value.matchAll(JAVA_CODE), ([, path = '']) => path) : [];
  return [...options, ...java].filter((one) => AWAY.test(one) && (kind === 'exact' || !one.startsWith('$')));
}

/**
 * Returns the folders outside the workspace in a variable that says where code is loaded from or where files are stored. Folders of
 * the system do not count; for programs, those of the user do not count either.
 */
function loadedAway(name: string, value: string): readonly string[] {
  const folders = value.split(':').filter((one) => one !== '');
  if (/^path$/i.test(name)) return folders.filter((one) => TEMPORARY.test(one) || LENT.test(one));
  const isStored = STORES.test(name);
  if (!isStored && !LOADS.test(name)) return [];
  return folders.filter((one) => AWAY.test(one) && !OF_SYSTEM.test(one) && !(isStored && TEMPORARY.test(one)));
}

/** The separators between the names in a text. */
const BETWEEN = /[=:,'"()\s;<>|&{}[\]`@\\]+/;
const NAME = /^[\w.+-][\w./+-]*$/;
const MOST_NAMES = 60;
const MAX_NAME = 300;

/**
 * Returns the relative paths that the words of a command may contain, wherever in them: after `-o`, `--into=` and `@`, or in the
 * text of a script. Excludes paths that lead out of the folder by their form.
 */
function reachedPaths(words: readonly ShellWord[]): readonly string[] {
  const names = words.flatMap(({ text }) => [...text.split(BETWEEN), ...glued(text)]);
  const paths = names.filter((name) => name.length <= MAX_NAME && NAME.test(name) && !/(^|\/)\.\.(\/|$)/.test(name));
  return [...new Set(paths)].filter((name) => !name.startsWith('-')).slice(0, MOST_NAMES);
}

/** A path may directly follow the letters of options: `-og/config`, `-o.npmrc`. */
function glued(text: string): readonly string[] {
  const [, dotted] = /^-[a-zA-Z]+(\..*)$/s.exec(text) ?? [];
  if (dotted !== undefined) return [dotted];
  const [, letters = ''] = /^-([a-zA-Z]+)\//.exec(text) ?? [];
  return Array.from(letters.slice(0, 4), (_, at) => text.slice(at + 2)).filter((path) => !path.startsWith('/'));
}
