import type { ShellWord } from './shellPart';
import { programName } from './unwrapCommand';

/** A way to call a program that is asked about each time, whatever rule allows its first words. */
interface DangerousForm {
  programs: readonly string[];
  /** One of these is among the arguments. */
  subcommands?: readonly string[];
  /** An argument matches this; without it and `subcommands`, every call counts. */
  argument?: RegExp;
  /** Only the first argument that is not an option is compared. */
  first?: true;
  /** Also applies if there are no arguments at all. */
  alone?: boolean;
  /** It runs text or words that are not parsed, so a command that a rule denies may hide in them. */
  hides?: true;
  /** One sentence for the user. */
  because: string;
}

const REMOVES = 'It removes files for good.';
const RUNS_TEXT = 'It runs program text that cannot be checked.';
const RUNS_OTHERS = 'It runs other commands.';
const ENDS = 'It ends processes.';
const DISKS = 'It writes to whole disks.';
const HISTORY = 'It discards work that Git keeps.';
const SENDS = 'It writes a file, or sends data out.';
const REMOTE = 'It connects to another machine.';
const STATE = 'It changes what later commands mean.';
const PUBLISHES = 'It publishes something.';
const RIGHTS = 'It changes file permissions.';

/** Kept as data, so that it can be read, tested and extended. Programs by name, in lowercase. */
export const DANGEROUS_FORMS: readonly DangerousForm[] = [
  { programs: ['rm', 'rmdir', 'unlink', 'shred', 'truncate', 'del', 'erase', 'rd', 'ri', 'srm'], because: REMOVES },
  { programs: ['remove-item', 'clear-content', 'clear-item', 'trash'], because: REMOVES },
  {
    programs: ['dd', 'fdisk', 'parted', 'wipefs', 'mkswap', 'sgdisk', 'diskutil', 'format', 'mkfs', 'diskpart'],
    because: DISKS,
  },
  { programs: ['kill', 'pkill', 'killall', 'skill', 'taskkill', 'stop-process', 'xkill', 'fuser'], because: ENDS },
  {
    programs: ['shutdown', 'reboot', 'halt', 'poweroff', 'init', 'telinit', 'systemctl', 'service', 'launchctl', 'sc'],
    because: 'It stops or changes services of this machine.',
  },
  {
    programs: ['su', 'sg', 'newgrp', 'runas', 'runuser', 'pkexec', 'chroot', 'nsenter', 'unshare'],
    hides: true,
    because: 'It runs a command as another user.',
  },
  {
    programs: ['chmod', 'chown', 'chgrp', 'icacls', 'setfacl'],
    argument: /^-[a-zA-Z]*R|^--recursive|^\/t$/i,
    because: RIGHTS,
  },
  { programs: ['chmod'], argument: /^[0-7]*[2367]$|^[2467][0-7]{3}$|^[ugoa]*[+=][rwxXt]*[sw]/, because: RIGHTS },
  { programs: ['chown', 'chgrp', 'takeown'], because: RIGHTS },
  {
    programs: ['tee', 'sponge', 'set-content', 'add-content', 'out-file'],
    because: 'It writes the files it names.',
  },
  {
    programs: ['sed', 'gsed'],
    argument: /^-[nErsuz]*[iIf]|^--(in-place|file)/,
    because: 'It changes files in place, or runs a script file.',
  },
  { programs: ['find', 'gfind'], argument: /^-(exec|execdir|ok|okdir)$/, because: RUNS_OTHERS },
  {
    programs: ['find', 'gfind'],
    argument: /^-(delete|fprint\w*|fls)$/,
    because: 'It removes or writes the files it finds.',
  },
  { programs: ['fd', 'fdfind'], argument: /^-[a-zA-Z]*[xX]|^--exec/, hides: true, because: RUNS_OTHERS },
  { programs: ['rg', 'ripgrep'], argument: /^--(pre|hostname-bin)(=|$)/, hides: true, because: RUNS_OTHERS },
  {
    programs: [
      ...['parallel', 'busybox', 'toybox', 'watch', 'entr', 'script', 'expect', 'flock', 'strace', 'gdb', 'ltrace'],
      ...['systemd-run', 'taskset', 'chrt', 'setpriv', 'capsh', 'fakeroot', 'firejail', 'bwrap', 'proot', 'watchexec'],
    ],
    hides: true,
    because: RUNS_OTHERS,
  },
  {
    programs: [
      ...['tmux', 'screen', 'hyperfine', 'nodemon', 'concurrently', 'sem', 'pee', 'mispipe', 'nix-shell'],
      ...['mshta', 'rundll32', 'regsvr32', 'cscript', 'wscript', 'msiexec', 'installutil', 'wmic', 'add-type'],
      ...['invoke-wmimethod', 'invoke-cimmethod'],
    ],
    hides: true,
    because: RUNS_OTHERS,
  },
  {
    programs: [
      ...['unbuffer', 'chronic', 'rlwrap', 'xvfb-run', 'dbus-run-session', 'prlimit', 'numactl', 'faketime', 'setarch'],
      ...['linux32', 'linux64', 'dtach', 'start-stop-daemon', 'run-parts', 'valgrind', 'perf', 'ssh-agent'],
      ...['torsocks', 'proxychains', 'proxychains4', 'cgexec', 'eatmydata'],
    ],
    because: RUNS_OTHERS,
  },
  { programs: ['make', 'gmake'], argument: /^(SHELL|MAKEFLAGS|--eval)=?/, hides: true, because: RUNS_OTHERS },
  {
    programs: ['tar', 'bsdtar', 'gtar'],
    argument: /^--(to-command|checkpoint-action|use-compress-program|rsh-command|new-volume-script)|^-[a-zA-Z]*[IF]/,
    hides: true,
    because: RUNS_OTHERS,
  },
  { programs: ['zip'], argument: /^-[a-zA-Z]*T|^--unzip-command|^-[a-zA-Z]*m/, hides: true, because: RUNS_OTHERS },
  { programs: ['sort', 'gsort'], argument: /^--compress-program|^-[a-zA-Z]*o|^--output/, because: SENDS },
  {
    programs: ['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'csh', 'tcsh'],
    argument: /^[-+]/,
    alone: true,
    because: 'It runs whatever it receives.',
  },
  {
    programs: ['pwsh', 'powershell', 'cmd', 'wsl', 'fish', 'nu', 'elvish', 'xonsh', 'command.com'],
    hides: true,
    because: 'It runs whatever it receives.',
  },
  { programs: ['eval', 'source', '.', 'start'], because: RUNS_TEXT },
  {
    programs: ['invoke-expression', 'iex', 'invoke-command', 'icm', 'start-process', 'saps', 'start-job', 'forfiles'],
    hides: true,
    because: RUNS_TEXT,
  },
  {
    programs: [
      'alias',
      'unalias',
      'trap',
      'enable',
      'hash',
      'export',
      'declare',
      'typeset',
      'readonly',
      'local',
      'set',
      'shopt',
      'set-alias',
      'set-executionpolicy',
      ...['emulate', 'complete', 'compgen', 'bind', 'bindkey', 'fc', 'mapfile', 'readarray', 'sched', 'zpty', 'zle'],
      ...['zmodload', 'autoload', 'functions'],
    ],
    because: STATE,
  },
  {
    programs: ['node', 'nodejs', 'deno', 'bun', 'tsx', 'ts-node'],
    argument: /^-[a-zA-Z]*[epr]|^--(eval|print|require|import|loader)|^-$/,
    alone: true,
    hides: true,
    because: RUNS_TEXT,
  },
  { programs: ['deno', 'bun'], subcommands: ['eval', 'upgrade'], hides: true, because: RUNS_TEXT },
  {
    programs: ['python', 'python2', 'python3', 'py', 'pypy', 'pypy3'],
    argument: /^-[a-zA-Z]*c|^-$/,
    alone: true,
    hides: true,
    because: RUNS_TEXT,
  },
  {
    programs: [
      ...[
        'perl',
        'ruby',
        'php',
        'lua',
        'luajit',
        'rscript',
        'r',
        'osascript',
        'tclsh',
        'wish',
        'ghc',
        'ghci',
        'jshell',
        'irb',
      ],
      ...[
        'guile',
        'scala',
        'groovy',
        'julia',
        'elixir',
        'iex',
        'erl',
        'escript',
        'racket',
        'sbcl',
        'clj',
        'clojure',
        'raku',
      ],
    ],
    argument: /^-[a-zA-Z0-9]*[eErinRBF]|^-$/,
    alone: true,
    hides: true,
    because: RUNS_TEXT,
  },
  {
    programs: ['vi', 'vim', 'nvim', 'view', 'ex', 'ed', 'emacs', 'nano', 'less', 'more', 'man'],
    because: 'It opens a program that can run commands.',
  },
  {
    programs: ['git'],
    argument:
      /^[a-zA-Z]+\.[\w.-]+=|^--(config-e|exec|upload-p|receive-p|open-f|ext-diff|output|extcmd)|^-O|^(ext|fd)::|-oProxy/,
    hides: true,
    because: RUNS_OTHERS,
  },
  {
    programs: ['git'],
    subcommands: [
      ...['config', 'filter-branch', 'filter-repo', 'difftool', 'mergetool', 'submodule', 'bisect', 'hook'],
      ...['credential', 'credential-store', 'credential-cache'],
      ...['remote-ext', 'remote-fd', 'merge-index', 'merge-one-file', 'upload-pack', 'receive-pack', 'upload-archive'],
      ...['http-backend', 'cvsserver', 'archimport', 'cvsimport', 'quiltimport', 'for-each-repo', 'flow'],
      ...['gui', 'citool', 'instaweb', 'web--browse', 'send-email', 'svn', 'p4', 'daemon', 'shell', 'fast-import'],
    ],
    because: 'It changes how Git works, or runs other commands.',
  },
  {
    programs: ['git'],
    subcommands: ['clean', 'restore', 'gc', 'prune', 'reflog', 'update-ref', 'rm'],
    because: HISTORY,
  },
  {
    programs: ['git'],
    subcommands: ['reset', 'checkout', 'switch'],
    argument: /^--(hard|merge|keep|force|discard-changes)?$|^-[a-zA-Z]*f|^\.$/,
    because: HISTORY,
  },
  {
    programs: ['git'],
    subcommands: ['branch', 'tag', 'worktree', 'stash'],
    argument: /^-[a-zA-Z]*[dDfM]|^--(delete|force)|^(remove|drop|clear|prune)$/,
    because: HISTORY,
  },
  {
    programs: ['git'],
    subcommands: ['push'],
    argument: /^-[a-zA-Z]*[fd]|^--(force|delete|mirror|prune)|^\+|^:/,
    because: 'It overwrites or removes what others may be using.',
  },
  {
    programs: ['git'],
    subcommands: ['rebase'],
    argument: /^-[a-zA-Z]*[xi]|^--(exec|interactive)/,
    hides: true,
    because: RUNS_OTHERS,
  },
  {
    programs: ['curl', 'wget', 'http', 'https', 'aria2c', 'invoke-webrequest', 'iwr'],
    argument:
      /^-[a-zA-Z]*[oOTdFKPiX]|^--(output|request|remote|upload|data|form|json|config|post|body|directory|input|use-askpass)/,
    because: SENDS,
  },
  {
    programs: [
      'ssh',
      'scp',
      'sftp',
      'rsync',
      'nc',
      'ncat',
      'netcat',
      'socat',
      'telnet',
      'ftp',
      'bitsadmin',
      'start-bitstransfer',
    ],
    because: REMOTE,
  },
  {
    programs: ['npm', 'pnpm', 'yarn', 'bun', 'cargo', 'gem', 'twine', 'poetry', 'vsce', 'gh'],
    subcommands: ['publish', 'unpublish', 'yank', 'upload', 'push', 'deprecate', 'owner'],
    because: PUBLISHES,
  },
  {
    programs: ['npm', 'pnpm', 'yarn'],
    argument: /^(access|dist-tags?|hook|log(in|out)|org|profile|star|team|tokens?|trust|unstar)$/,
    first: true,
    because: PUBLISHES,
  },
  {
    programs: ['gh', 'glab'],
    subcommands: ['api', 'delete', 'merge', 'secret', 'auth', 'release'],
    because: PUBLISHES,
  },
  { programs: ['npm', 'pnpm', 'yarn'], subcommands: ['config', 'set'], because: STATE },
  {
    programs: ['npm', 'pnpm', 'yarn', 'bun'],
    // npm accepts abbreviations as well.
    argument: /^(x|exe?c?|innit?|in|ini|init|creat?e?|dlx|expl(ore?)?|edit?)$/,
    first: true,
    because: RUNS_OTHERS,
  },
  {
    programs: ['npx', 'pnpx', 'bunx'],
    argument: /^-[a-z]*[cp]$|^--(ca|pa|no|sc|sh)/,
    alone: true,
    because: RUNS_OTHERS,
  },
  {
    programs: ['bat', 'batcat', 'delta', 'ag', 'ack', 'glow', 'fzf', 'sk'],
    argument: /^--(pager|preview|bind|listen|with-shell|execute|config|ackrc)/,
    because: RUNS_OTHERS,
  },
  {
    programs: ['hg', 'svn'],
    argument: /^--(conf|diff|editor|merge|ext)/,
    because: RUNS_OTHERS,
  },
  {
    programs: ['sqlite3', 'duckdb', 'psql', 'mysql', 'mariadb'],
    argument:
      /^\s*\.|\n[^\S\n]*\.|\\|^-(cmd|init|f)|^--(file|pager|init|tee|defaults)|load_extension|(read|write)file|attach|program|infile|^\s*(system|source)\b/i,
    because: 'It may run commands or access files that the line does not name.',
  },
  { programs: ['yq'], argument: /^-[a-zA-Z]*[is]|^--(inplace|split)|\bload/, because: SENDS },
  {
    programs: ['gcc', 'g++', 'cc', 'c++', 'clang', 'clang++'],
    argument: /^-(wrapper|f(pass-)?plugin|specs|B|Xclang|-config)|^@/,
    because: RUNS_OTHERS,
  },
  { programs: ['cmake'], argument: /^-[PE]/, because: RUNS_OTHERS },
  { programs: ['ip'], argument: /^(exec|-b\w*|-force)$/, because: RUNS_OTHERS },
  { programs: ['php'], argument: /^-[adSf]|^--(interactive|server|define|file)/, because: RUNS_TEXT },
  {
    programs: ['gh'],
    argument: /^(alias|ext|extensions?|config|codespace|cs|ssh-key|gpg-key|variable|copilot)$/,
    first: true,
    because: STATE,
  },
  {
    programs: ['docker', 'podman', 'nerdctl'],
    subcommands: [
      ...['run', 'exec', 'rm', 'rmi', 'prune', 'push', 'kill', 'cp', 'down', 'up', 'build', 'create', 'start', 'stop'],
      ...['restart', 'import', 'load', 'login', 'swarm', 'plugin', 'context', 'unshare'],
    ],
    because: 'It runs or removes containers, which can access this machine.',
  },
  {
    programs: ['kubectl', 'helm', 'terraform', 'tofu', 'pulumi', 'aws', 'gcloud', 'az'],
    because: 'It changes machines elsewhere.',
  },
  {
    programs: [
      ...['crontab', 'at', 'batch', 'schtasks', 'reg', 'setx', 'defaults', 'net', 'netsh', 'assoc', 'ftype', 'bcdedit'],
      ...['vssadmin', 'wevtutil', 'secedit', 'auditpol', 'new-itemproperty', 'set-itemproperty', 'remove-itemproperty'],
      ...['new-service', 'set-service', 'register-scheduledtask', 'new-localuser', 'add-localgroupmember'],
    ],
    because: 'It changes the settings of this machine.',
  },
  { programs: ['certutil'], argument: /^[-/](?!hashfile$|dump$|\?$)\w/i, because: SENDS },
];

/** Variables that do not change what any command does, so rules may ignore them. */
export const HARMLESS_VARIABLES =
  /^(CI|NODE_ENV|FORCE_COLOR|NO_COLOR|CLICOLOR|DEBUG|TZ|LANG|LC_[A-Z]+|RUST_BACKTRACE|RUST_LOG|PORT|HOST|VERBOSE|TERM|COLUMNS|LINES|GOOS|GOARCH|CGO_ENABLED)$/;

const FORMS = new Map<string, DangerousForm[]>();

for (const form of DANGEROUS_FORMS)
  for (const program of form.programs) FORMS.set(program, [...(FORMS.get(program) ?? []), form]);

/** Returns the form in which a command is dangerous, if any. */
export function dangerousForm(words: readonly ShellWord[]): DangerousForm | undefined {
  return formsOf(programName(words[0])).find((one) => isForm(one, words));
}

function formsOf(name: string): readonly DangerousForm[] {
  // `python3.12` is python, and `mkfs.ext4` is mkfs.
  return (
    FORMS.get(name) ?? FORMS.get(name.replace(/[\d.]+$/, '')) ?? FORMS.get(name.replace(/^mkfs\..*/, 'mkfs')) ?? []
  );
}

/** Options of interpreters whose value is the next word, so that it is not the script. */
const TAKES_VALUE =
  /^(-[WXQIlLdzKC]|--(?!test$|watch$|no-|inspect|enable-|trace-|experimental-|strict|disable-|preserve-|verbose$|quiet$|debug$)[\w-]+)$/;

function isForm({ subcommands, argument, alone, first }: DangerousForm, words: readonly ShellWord[]): boolean {
  const all = words.slice(1).map(({ text }) => text);
  // What follows the script belongs to the script.
  const script = alone ? all.findIndex((text, at) => !/^[-+]/.test(text) && !TAKES_VALUE.test(all[at - 1] ?? '')) : -1;
  const before = script === -1 ? all : all.slice(0, script);
  const given = first ? all.filter((text) => !text.startsWith('-')).slice(0, 1) : before;
  if (alone && all.length === 0) return true;
  if (subcommands && !given.some((one) => subcommands.includes(one))) return false;
  return argument === undefined || given.some((one) => argument.test(one));
}
