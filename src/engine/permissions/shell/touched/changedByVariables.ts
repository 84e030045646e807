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
export function changedByVariables(set: readonly ShellWord[], words: readonly ShellWord[]): ChangedWords {
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
