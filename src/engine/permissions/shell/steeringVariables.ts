import { INTERPRETER, SHELL } from './innerScripts';
import { LineLimits, type ShellPart, type ShellWord } from './shellPart';
import { type ShellKind, shellParts } from './shellParts';
import { filledIn } from './started/filledIn';
import { givenOptions } from './touched/changed';
import { programName, unwrapCommand, type UnwrappedCommand } from './unwrapCommand';

/** Variables whose value is a command that other programs start. */
const STARTS =
  /^(\w*(EDITOR|PAGER|VISUAL|ASKPASS|_RSH|EXTERNAL_DIFF)|GIT_(SSH|SSH_COMMAND|PROXY_COMMAND)|SVN_SSH|BROWSER|LESS(OPEN|CLOSE)|(CONFIG_)?SHELL|(READ)?NULLCMD|PROMPT_COMMAND|FZF\w*_COMMAND|HGMERGE|YARN_YARN_PATH|CLOUDSDK_PYTHON|npm_config_((script_)?shell|git|viewer))$/i;
/** Variables that name a file or a folder of code, of options, or of settings, which other programs run or read. */
const LOADS =
  /^(BASH_ENV|ENV|ZDOTDIR|PYTHONSTARTUP|PERL5DB|LD_(PRELOAD|AUDIT)|DYLD_INSERT_LIBRARIES|GIT_(EXEC_PATH|DIR|COMMON_DIR)|MAKEFILES|(G?VIM|EX)INIT|MYVIMRC|LUA_INIT\w*|PSQLRC|SCREENRC|INPUTRC|R_(PROFILE|ENVIRON)\w*|DOTNET_STARTUP_HOOKS|CORE?(CLR)?_PROFILER_PATH\w*|(RIPGREP|BAT)_CONFIG_PATH|ACKRC|FZF_DEFAULT_OPTS_FILE|OPENSSL_(CONF|ENGINES|MODULES)|GCONV_PATH|LESSKEY\w*|HGRCPATH|APT_CONFIG|CURL_HOME|(SYSTEM_)?WGETRC|PHPRC|PHP_INI_SCAN_DIR|npm_config_(user|global)config)$/i;
/** Of these, those that a name without a folder does not lead to a file of the workspace with. */
const ONLY_PATHS = /^(ENV|LD_\w+|DYLD_\w+)$/;
const CODE = String.raw`[=\s]*["']?(?:file:|data:|[~/$]|[^\s"']*\.{1,2}\/|[^\s"']*\.(?:[cm]?[jt]s|node|cnf|json)\b)`;
const COMPILER = /-fplugin|-wrapper|-specs=|-B\S*\/|-fuse-ld=\S*\/|linker=\S*\/|codegen-backend=/;
type OptionsVariable = readonly [names: RegExp, options: RegExp];

/** Variables with options of whatever runs code, and those options that make it run a file or a command. */
const OF_RUNTIMES: readonly OptionsVariable[] = [
  [
    /^((NODE|BUN)_OPTIONS|npm_config_node_options)$/i,
    new RegExp(String.raw`(^|\s)(-r|--(require|import|preload|[\w-]*loader|openssl-config|[\w-]*config-file))${CODE}`),
  ],
  [/^PERL5OPT$/, /^(?!\s*((-[wWtTC]\w*|-M(Devel::Cover|warnings|strict)\S*)(\s+|$))*$)/],
  [/^RUBYOPT$/, /^(?!\s*((-w|-[WEK]\S*|-rbundler\/setup|--(yjit|jit|enable|disable)\S*)(\s+|$))*$)/],
  [
    /^(JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|JAVA_OPTS|(MAVEN|GRADLE|ANT|SBT|KOTLIN)_OPTS|MAVEN_ARGS)$/,
    /-javaagent:|-agentpath:|-agentlib:(?!jdwp)|-Xbootclasspath|(^|\s)@|-XX:(On|Flags|VMOptionsFile)/,
  ],
  [
    /^(GNU)?MAKEFLAGS$/,
    /(^|\s)-?[a-zA-Z]*[fIE](?![\w-]*=)(?<!(^|\s)--?no\S*)|(^|\s)--(eval|file|makefile|include)|SHELL=/,
  ],
];
/** The same for all programs. */
const OPTIONS: readonly OptionsVariable[] = [
  ...OF_RUNTIMES,
  [/^GOFLAGS$/, /-(toolexec|exec|overlay|vettool)/],
  [/^(\w+_)?(C|CPP|CXX|LD|RUST|RUSTDOC|ENCODED_RUST)FLAGS$/, COMPILER],
  [/^TAR_OPTIONS$/, /--(to-c|checkpoint-a|use-c|rsh|rmt|new-v|info-s)|(^|\s)-\w*[IF]/],
  [/^(ERL_\w*FLAGS|ELIXIR_ERL_OPTIONS)$/, /-(eval|s|run|pa|pz|boot|config)\b/],
  [/^LESS$/, /\+\S*[!|]|--lesskey/],
  [/^FZF_DEFAULT_OPTS$/, /execute|become|reload|transform|--(preview|with-shell)[= ]["']?\S*\//],
  [/^(PS[0-4]|R?PROMPT)$/, /\$\(|`/],
  [/^GIT_ALLOW_PROTOCOL$/, /ext|fd/],
];
const STARTING =
  /^(core\.(fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|gpg\..*program|uploadpack\.packobjectshook|interactive\.difffilter|pager\..*|alias\..*|(diff|merge|filter|difftool|mergetool|man|browser|trailer|credential|remote)\..*(command|textconv|driver|clean|smudge|process|cmd|path|helper|uploadpack|receivepack|vcs)|submodule\..*\.update)$/i;
const HOOKS = /^core\.hookspath$/i;
const PROTOCOLS = /^protocol\.((ext|fd)\.)?allow$/i;
/** Where only an administrator puts programs, and a file that is none. */
const OF_SYSTEM =
  /^(?!.*\/\.\.)(\/(usr|opt|bin|sbin|lib\w*|nix|snap|System|Library|Applications|home\/linuxbrew)\/|\/dev\/null$)/;
const SETS = /^(export|declare|typeset|local|readonly|set|setenv)$/;
const FILLS = /^(read|mapfile|readarray|getopts|vared|let)$/;
const VARIABLE = /^\$\{?(\w+)\}?$/;
const LOOKED_UP = /^(\$\(|`)(which|command -v|type -P) [\w.+-]+[)`]$/;
const OF_SSH = /(proxy|local|knownhosts)command|provider|include/i;
/** Options of ssh that name a file with settings, or a library. */
const LOADED_BY_SSH = /^-[a-zA-Z]*[FI]/;
const SET_ON_WINDOWS =
  /(?:\$\{?env:|\bset\s+"?|\bSetEnvironmentVariable\(\s*["']|^\s*["'])(\w+)(?:\}|["'])?\s*[=,]\s*(?:"([^"]*)"|'([^']*)'|([^\s;&|"']*))/gi;

type Held = ReadonlyMap<string, readonly string[] | null> | null;

/** Returns why a command always asks if a variable makes programs run something that is not installed; null if none does. */
export function steeringVariable(
  part: ShellPart,
  { layers, assignments }: UnwrappedCommand,
  held: Held,
  shell: ShellKind,
): string | null {
  const command = layers.at(-1) ?? [];
  const name = programName(command[0]);
  const set = [...part.assignments, ...assignments, ...setWords(command)];
  const found =
    set.find((word) => steers(word, set, held, command)) ??
    [...command, ...part.assignments].find(({ text }) => hasDefault(text)) ??
    (isFilled(name, command) ? command.find(({ text }) => isName(text.replace(/^-v/, ''))) : undefined) ??
    // A loop over values.
    (part.words.length === 0 ? part.inputs.slice(0, 1).find(({ text }) => isName(text)) : undefined) ??
    (isReference(name, command) ? command.find(({ text }) => isName(text.replace(/^\w+=/, ''))) : undefined) ??
    (shell === 'windows' ? setOnWindows(part.text) : undefined);
  const [variable = ''] = found?.text.replace(/^\$\{/, '').split(/[+:]?=/, 1) ?? [];
  return found ? `${variable} decides what other programs run.` : null;
}

/** Whether a setting that Git is given in the line, or a value of one, makes it run something that is not installed. */
export function steersByGit(setting: string): boolean {
  const [, key = '', value = ''] = /^([\w.-]+\.[^=]*)=(.*)$/s.exec(setting) ?? [];
  if (HOOKS.test(key)) return value !== '' && !OF_SYSTEM.test(value);
  if (PROTOCOLS.test(key)) return !/^(never|user)$/i.test(value);
  if (!STARTING.test(key)) return false;
  // Without the sign, it is a subcommand of Git.
  return /^alias\./i.test(key) && !value.startsWith('!') ? false : runsFile(value);
}

function steers({ text }: ShellWord, set: readonly ShellWord[], held: Held, command: readonly ShellWord[]): boolean {
  const [, name = '', written = ''] = /^(\w+)(?:\[[^\]]*\])?\+?=(.*)$/s.exec(text) ?? [];
  // With its own value, nothing changes.
  const own = new RegExp(`^\\$\\{?${name}(?::?-([^}]*))?\\}?$`).exec(written);
  if (written === '' || (own && !own[1])) return false;
  const values = filledIn(own?.[1] ?? written, held ?? new Map()) ?? [own?.[1] ?? written];
  return values.some((value) => {
    if (STARTS.test(name)) return runsFile(value, held);
    if (LOADS.test(name)) return loadsFile(name, value, SHELL.test(programName(command[0])));
    if (/^(HOME|XDG_CONFIG_HOME)$/.test(name)) return readsHome(command) && !/[$`]/.test(value);
    if (name === 'GIT_CONFIG_PARAMETERS') return value.split(/'\s*'?/).some((one) => steersByGit(one));
    const [, index] = /^GIT_CONFIG_KEY_(\d+)$/.exec(name) ?? [];
    if (index === undefined)
      return OPTIONS.some(([names, options]) => names.test(name) && (value.length > MOST_VALUE || options.test(value)));
    const given = set.find((one) => one.text.startsWith(`GIT_CONFIG_VALUE_${index}=`))?.text.replace(/^\w+=/, '');
    return steersByGit(`${value}=${given ?? './'}`);
  });
}

function loadsFile(name: string, value: string, isShell: boolean): boolean {
  if (/^(0|\/dev\/null)$/.test(value) || VARIABLE.test(value)) return false;
  const paths = /^(LD|DYLD)_/.test(name) ? value.split(/[:\s]+/) : [value];
  if (ONLY_PATHS.test(name) && !(isShell && name === 'ENV'))
    return paths.some((one) => one.includes('/') && !OF_SYSTEM.test(one));
  return paths.some((one) => !OF_SYSTEM.test(one));
}

/** Programs that run what files in the home folder say. */
const READS_HOME = /^(n?vim?|view|ex|emacs|tmux|screen|psql|sqlite3|gdb|lldb|r|irb|ghci|zsh|fish|tcsh|csh)$/;

function readsHome([program, ...rest]: readonly ShellWord[]): boolean {
  const name = programName(program);
  return READS_HOME.test(name) || (SHELL.test(name) && rest.some(({ text }) => /^-[a-zA-Z]*[li]|^--login/.test(text)));
}

const MOST_TEXT = 1000;
/** Nobody writes more options than this. */
const MOST_VALUE = 4000;

/** Whether a command line that a program is given starts a program, or a script, by its path. */
export function runsFile(value: string, held: Held = null): boolean {
  if (value.length > MOST_TEXT) return true;
  const { parts, unread } = shellParts(value.replace(/^[|!\s-]+/, ''), 'posix', new LineLimits());
  return unread !== null || parts.some(({ words }) => isFile(unwrapCommand(words).layers.at(-1) ?? [], held));
}

function isFile([program, ...rest]: readonly ShellWord[], held: Held): boolean {
  if (!program || program.text === '') return false;
  const { text, kind } = program;
  const [, variable] = VARIABLE.exec(text) ?? [];
  if (variable !== undefined) return held?.has(variable) === true;
  if (LOOKED_UP.test(text)) return false;
  if (kind === 'unknown' || (/[\\/]/.test(text) && !OF_SYSTEM.test(text))) return true;
  const name = programName(program);
  if (/^(ssh|scp|sftp)$/.test(name))
    return rest.some((word) => OF_SSH.test(word.text) || LOADED_BY_SSH.test(word.text));
  if (!SHELL.test(name) && !INTERPRETER.test(name)) return false;
  const given = rest.findIndex((word) => /^-[a-zA-Z]*[ce]$/.test(word.text));
  if (given === -1) return rest.some((word) => !word.text.startsWith('-'));
  return SHELL.test(name) && runsFile(rest[given + 1]?.text ?? '', held);
}

function isName(text: string): boolean {
  return STARTS.test(text) || LOADS.test(text) || OF_RUNTIMES.some(([names]) => names.test(text));
}

/** Programs that start another one with variables, which may be started themselves. */
const GIVES = /^(cross-env(-shell)?|dotenv|systemd-run)$/;

/** Returns the words of a command that set variables. */
function setWords(command: readonly ShellWord[]): readonly ShellWord[] {
  const [program, ...rest] = command;
  const name = programName(program);
  if (SETS.test(name)) return rest;
  // What env is given may be an assignment only once its variables are filled in.
  if (/^[A-Za-z_]\w*=/.test(program?.text ?? '')) return command;
  const options = /^(p?npm|npx)$/.test(name) ? givenOptions(rest, '') : [];
  const named = options.flatMap(({ option, value }): ShellWord[] =>
    option === '--node-options' && value ? [{ ...value, text: `NODE_OPTIONS=${value.text}` }] : [],
  );
  const at = command.findIndex((word) => GIVES.test(programName(word)));
  const given = at === -1 ? [] : command.slice(at + 1);
  return [...named, ...given.map(({ text, kind }) => ({ text: text.replace(/^(--setenv=|-E(?=\w))/, ''), kind }))];
}

function isFilled(name: string, command: readonly ShellWord[]): boolean {
  return FILLS.test(name) || (name === 'printf' && command[1]?.text.startsWith('-v') === true);
}

function hasDefault(text: string): boolean {
  const [, name = ''] = /\$\{(\w+):?=/.exec(text) ?? [];
  return isName(name);
}

/** Whether a name that is declared stands for another variable from then on. */
function isReference(name: string, command: readonly ShellWord[]): boolean {
  return SETS.test(name) && command.some(({ text }) => /^-[a-zA-Z]*n/.test(text));
}

function setOnWindows(line: string): ShellWord | undefined {
  const set = Array.from(line.matchAll(SET_ON_WINDOWS), ([, name = '', double, single, bare]): ShellWord => ({
    text: `${name}=${double ?? single ?? bare ?? ''}`.replaceAll('\\', '/'),
    kind: 'exact',
  }));
  return set.find((word) => steers(word, set, null, []));
}
