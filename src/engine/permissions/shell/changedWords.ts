import { withoutEnd } from '../../../base/truncate';
import { PROTECTED_PAIRS } from '../protectedPaths';
import { foundCommands } from './innerScripts';
import type { ShellWord } from './shellPart';
import type { ShellKind } from './shellParts';
import {
  changedOnWindows,
  type ChangedWords,
  GIT_HOOKS,
  NAMES_PACKAGES,
  NOTHING,
  operandsOf,
  writtenByOptions,
} from './touched/changed';
import { changedByGit } from './touched/changedByGit';
import { programName } from './unwrapCommand';

const HERE: ShellWord = { text: '.', kind: 'exact' };
const REMOVERS =
  /^(g?rm|g?rmdir|g?unlink|g?shred|srm|rimraf|del-cli|trash(-put|-cli)?|safe-rm|wipe|del|erase|rd|ri|remove-item)$/;
const COPIERS = /^(cp|gcp|install|ginstall|rsync|scp|ln|link|mv|gmv|ditto|copy-item|move-item)$/;
const WRITERS = /^(tee|sponge|truncate|touch|mkdir|mkfifo|chmod|chown|chgrp|setfacl|set-content|add-content|out-file)$/;
/** Programs that are told by what they read, or by a server, which files they write. */
const UNPACKERS =
  /^(unzip|patch|sftp|l?ftp|(bsd)?cpio|7z[arz]?|unrar|pax|jar|gpatch|unar|dtrx|cabextract|unsquashfs|ouch|aunpack|lha|unace|arj|expand-archive)$/;

/** Commands nested in each other beyond this depth are not followed. */
const MAX_DEPTH = 6;

/** Returns what `rm`, `cp`, `sed -i`, `tar -x` and the like touch through their words. */
export function changedWords(words: readonly ShellWord[], shell: ShellKind, depth = 0): ChangedWords {
  const usual = changedByName(words, shell, depth);
  const [name, rest] = [programName(words[0]), words.slice(1)];
  const also = shell === 'windows' ? changedOnWindows(name, rest) : undefined;
  if (!also) return usual;
  const isBrought = also.copied.length + also.removed.length > 0;
  const theirs = isBrought ? also.changed.flatMap((target) => withTheirs(name, rest, target)) : [];
  return {
    removed: [...usual.removed, ...also.removed],
    changed: [...usual.changed, ...also.changed, ...theirs],
    copied: [...usual.copied, ...also.copied],
    unknown: usual.unknown ?? also.unknown,
  };
}

function changedByName(words: readonly ShellWord[], shell: ShellKind, depth: number): ChangedWords {
  const [program, ...rest] = words;
  const name = programName(program);
  const operands = operandsOf(rest, shell);
  if (REMOVERS.test(name)) return { ...NOTHING, removed: operands };
  if (COPIERS.test(name)) return besides(copied(name, rest, operands), writtenByOptions(name, rest));
  if (WRITERS.test(name)) return written(rest, operands);
  if (UNPACKERS.test(name)) return { ...NOTHING, unknown: name };
  if (/^(bsd|g)?tar$/.test(name)) return isUnpacked(rest) ? { ...NOTHING, unknown: name } : packed(operands);
  if (name === 'ar') return /^-?[a-z]*x/.test(rest[0]?.text ?? '') ? { ...NOTHING, unknown: name } : NOTHING;
  if (name === 'zip') return packed(operands);
  if (/^(python|pypy)[\d.]*$/.test(name)) return unpackedBy(name, rest);
  if (name === 'dd') return { ...NOTHING, changed: afterPrefix(rest, 'of=') };
  if (/^(g?sed|perl|ruby)$/.test(name)) return editedInPlace(rest, operands);
  if (/^g?find$/.test(name)) return found(rest, shell, depth);
  if (name === 'git') return changedByGit(rest, shell);
  if (name.startsWith('git-')) return changedByGit([{ text: name.slice(4), kind: 'exact' }, ...rest], shell);
  if (/^(npm|pnpm|yarn)$/.test(name)) return ofPackages(name, operands);
  if (setsForPerson(name, operands, rest)) return { ...NOTHING, unknown: `${name} ${operands[0]?.text ?? ''}` };
  if (name === 'socat') return { ...NOTHING, changed: openedBySocat(rest) };
  const settings = settingsOfMachine(name, rest);
  if (settings !== undefined) return { ...NOTHING, changed: [{ text: settings, kind: 'exact' }] };
  if (HOOK_TOOLS.test(name)) return setsHooks(name, rest) ? GIT_HOOKS : NOTHING;
  return writtenByOptions(name, rest);
}

/** Returns the words that lead out of the folder by their form and that the command, whose effect is unknown, may write to. */
export function awayWords(words: readonly ShellWord[], shell: ShellKind): readonly ShellWord[] {
  const isKnown = isKnownToChange(words, shell);
  return words.slice(1).flatMap(({ text, kind }, at) => {
    // Glued to an option's name or letter.
    const glued = /^-{1,2}[\w-]+=(?:\w+=)?(.*)$/s.exec(text)?.[1] ?? /^-[a-zA-Z]+:?([./~$].*)$/s.exec(text)?.[1];
    // For a known program, its operands are known already, and so are the options that were looked for.
    const mounted =
      /^(?:.*,)?(?:src|source|dest)=([^,]*)/s.exec(text)?.[1] ?? /^(?:-v)?([^:]*\.\.(?:\/[^:]*)?):/.exec(text)?.[1];
    const addressed = OPENS_ADDRESS.test(programName(words[0])) ? undefined : ADDRESSED.exec(text)?.[1];
    const isSetting = MAKES.test(programName(words[0])) || SETS.test(words[at]?.text ?? '');
    const set = isSetting ? /^\w+=(.*)$/s.exec(text)?.[1] : undefined;
    const path = addressed ?? mounted ?? set ?? glued ?? (isKnown ? undefined : text);
    return path !== undefined && leadsAway(path, shell) && !READS.test(text) ? [{ text: path, kind }] : [];
  });
}

/** How package managers refer to a folder or a file. */
const ADDRESSED = /(?:^|[@+=\s])(?:file|link|portal|path|directory):(?:\/\/(?:localhost)?(?=\/))?([^\s#]*)/i;
/** For these, it is known what they read through an address. */
const OPENS_ADDRESS = /^(curl|wget|aria2c|lynx|w3m|e?links|iwr|irm|invoke-\w+|start-bitstransfer|git)$/;

/** Programs that take variables among their arguments, such as the folder to install to. */
const MAKES = /^(g|b|re)?make$/;

/** Options after which a setting may name what is written; for containers, variables come after other ones. */
const SETS = /^(-[oO]|--(override-ini|option|output|reporter-options?))$/;

/** Options of copying programs whose values are only read. */
const READS = /^--(exclude|include|files-from|exclude-from|include-from|reference|link-dest|compare-dest|copy-dest)/;

/** Whether it is known which of its words a command changes. */
export function isKnownToChange(words: readonly ShellWord[], shell: ShellKind): boolean {
  const name = programName(words[0]);
  // For an archiver, only what goes into the archive is known.
  if (/^((bsd|g)?tar|zip)$/.test(name)) return false;
  return changedWords(words, shell) !== NOTHING || /^(cd|chdir|pushd|popd|echo|printf)$/.test(name);
}

const LAUNCHED =
  /^(g?rm|rmdir|unlink|g?shred|srm|rimraf|del-cli|trash(-put)?|g?cp|g?mv|rsync|g?ln|tee|g?touch|g?mkdir|chmod|chown|g?sed|perl|g?dd|g?find|g?tar|unzip|cpio|g?truncate|install|patch|curl|wget|git|husky|pre-commit|lefthook|simple-git-hooks)$/;

/**
 * Returns the command that begins among the words of another program, which may start it, as in `npx rimraf build`; empty if
 * there is none.
 */
export function launchedWords(words: readonly ShellWord[]): readonly ShellWord[] {
  const [program] = words;
  if (!program || /^(git|man|type|alias|hash|g?find)$/.test(programName(program))) return [];
  const at = words.findIndex((word, index) => index > 0 && LAUNCHED.test(programName(word)));
  if (at === -1 || words.slice(1, at).some(({ text }) => NAMES_PACKAGES.test(text))) return [];
  if (/^fd(find)?$/.test(programName(program)))
    return /^-[a-zA-Z]*[xX]$|^--exec/.test(words[at - 1]?.text ?? '') ? ofFound(words.slice(at)) : [];
  const launched = at + 1 < words.length || HOOK_TOOLS.test(programName(words[at])) ? words.slice(at) : [];
  // Without a list of its own, it appends what it reads from standard input to the words.
  const isFed = /^(parallel|sem)$/.test(programName(program)) && words.every(({ text }) => !/^:::/.test(text));
  return isFed ? [...words.slice(at), { text: '…', kind: 'unknown' }] : launched;
}

/** Returns what fd runs for the files that it finds: it puts their names where braces are, or at the end. */
function ofFound(words: readonly ShellWord[]): readonly ShellWord[] {
  const found: ShellWord = { text: '…', kind: 'unknown' };
  const isMarked = ({ text }: ShellWord) => /\{(\.|\/|\/\/|\/\.)?\}/.test(text);
  return words.some(isMarked) ? words.map((word) => (isMarked(word) ? found : word)) : [...words, found];
}

/** On Windows, a slash also begins an option. */
function leadsAway(path: string, shell: ShellKind): boolean {
  if (/[\s|<>"]/.test(path)) return false;
  const isAbsolute = shell === 'windows' ? /^([a-z]:[\\/]|[\\/]{2}|~)/i : /^(?:[/~]|\$\{?HOME\b)/;
  return isAbsolute.test(path) || /(^|[\\/])\.\.([\\/]|$)/.test(path);
}

function copied(name: string, rest: readonly ShellWord[], operands: readonly ShellWord[]): ChangedWords {
  const named = valuesOf(rest, /^-[a-zA-Z]*t$/, /^--target-directory$/);
  const glued = rest.flatMap(({ text, kind }) => (/^-t./.test(text) ? [{ text: text.slice(2), kind }] : []));
  const targets = [...named, ...glued];
  const left = new Set(
    rest.filter((_, at) => READS.test(rest[at - 1]?.text ?? '') && !rest[at - 1]?.text.includes('=')),
  );
  const files = operands.filter((word) => !left.has(word));
  const target = targets[0] ?? files.at(-1);
  // An abbreviated option may name the target too.
  const strange = rest.find(({ text }) => /^--ta[\w-]*(=|$)/.test(text) && !/^--target-directory(=|$)/.test(text));
  if (!target || strange) return { ...NOTHING, unknown: strange?.text ?? null };
  const sources = targets.length > 0 ? files.filter((one) => one !== target) : files.slice(0, -1);
  const inside = [...sources.map((source) => inFolder(target, source)), ...withTheirs(name, rest, target)];
  const links = linkedWords(name, rest).flatMap((from) => sources.map((source) => from(target, source)));
  const takesAway = /^(g?mv|move-item)$/.test(name) || rest.some(({ text }) => /^--remove-[so]/.test(text));
  const deletes = rest.some(({ text }) => text.startsWith('--del'));
  return {
    ...NOTHING,
    removed: [...(takesAway ? sources : []), ...(deletes ? [target] : [])],
    changed: [target, ...inside, ...links],
    copied: /^(ln|link)$/.test(name) ? [] : sources,
  };
}

/** Returns ways to find the target of a link, which from then on is changed through the link's name. */
function linkedWords(
  name: string,
  rest: readonly ShellWord[],
): readonly ((link: ShellWord, to: ShellWord) => ShellWord)[] {
  const has = (option: RegExp) => rest.some(({ text }) => option.test(text));
  const isLinked = /^(ln|link)$/.test(name) || (/^g?cp$/.test(name) && has(/^-[a-zA-Z]*[sl]|^--(sy|li)/));
  if (!isLinked) return [];
  const fromLink = has(/^-[a-zA-Z]*s|^--sy/) && !has(/^-[a-zA-Z]*r|^--re/);
  if (!fromLink) return [(_, to) => to];
  // The last word is the link, or a folder that the link is put into.
  return [(link, to) => seenFrom(folderOf(link.text), link, to), (link, to) => seenFrom(link.text, link, to)];
}

function seenFrom(folder: string, link: ShellWord, to: ShellWord): ShellWord {
  if (to.text.startsWith('/') || to.kind !== 'exact') return to;
  return link.kind === 'exact' ? { text: `${folder === '' ? '.' : folder}/${to.text}`, kind: 'exact' } : link;
}

/** Returns what precedes the last name of a path. */
function folderOf(path: string): string {
  const named = withoutEnd(path, '/');
  return named.slice(0, named.lastIndexOf('/') + 1);
}

/** Returns the path of a source inside the folder that it is put into; for a pattern, only the folder is known. */
function inFolder(target: ShellWord, source: ShellWord): ShellWord {
  const name =
    source.text
      .split('/')
      .filter((one) => one !== '' && one !== '.')
      .at(-1) ?? '';
  if (target.kind !== 'exact' || source.kind !== 'exact' || name === '..') return target;
  return { text: `${withoutEnd(target.text, '/')}/${name}`, kind: 'exact' };
}

/** Folders in which certain names are protected, each with one such name. */
const THEIRS: ReadonlyMap<string, string> = new Map(
  [...PROTECTED_PAIRS].map((pair): [string, string] => [
    pair.slice(0, pair.indexOf('/')),
    pair.slice(pair.indexOf('/') + 1),
  ]),
);

/** Returns what copying a whole folder may bring to a place where certain names are protected. */
function withTheirs(name: string, rest: readonly ShellWord[], target: ShellWord): readonly ShellWord[] {
  const isWhole =
    !/^(g?cp|copy-item|g?install)$/.test(name) || rest.some(({ text }) => /^-[a-zA-Z]*[rRaT]|^--(rec|arc)/.test(text));
  const folder = withoutEnd(target.text.replaceAll('\\', '/'), '/');
  const held = THEIRS.get(folder.slice(folder.lastIndexOf('/') + 1).toLowerCase());
  return isWhole && held !== undefined ? [{ text: `${folder}/${held}`, kind: target.kind }] : [];
}

/** Settings of the user are outside the workspace. */
function setsForPerson(name: string, operands: readonly ShellWord[], rest: readonly ShellWord[]): boolean {
  const [first, second] = operands.map(({ text }) => text);
  if (/^pip[\d.]*$/.test(name)) return first === 'config' && /^(set|unset|edit)$/.test(second ?? '');
  return name === 'go' && first === 'env' && rest.some(({ text }) => /^-[wu]$/.test(text));
}

const STOPS_NOTHING = /^(--help|--version|-c|--show|\/\?)$/;
/** Options with which a container reaches the machine that it runs on. */
const FREES_CONTAINER =
  /^--(privileged(=(?!false).*)?|(pid|ipc|uts|userns|cgroupns)=host|cap-add=(CAP_)?(ALL|SYS_\w+|DAC_\w+)|security-opt=.*(unconfined|disable).*)$/i;
/** Programs that change what a machine starts or who may use it, or that stop it: the place that they write to, and the words with which they do. */
const SETTINGS: readonly { programs: RegExp; place: string; word?: RegExp; unless?: RegExp; isSplit?: true }[] = [
  { programs: /^crontab$/, place: '/var/spool/cron', unless: /^-l$/ },
  { programs: /^(at|batch)$/, place: '/var/spool/at', unless: /^-[lVc]$/ },
  {
    programs: /^systemctl$/,
    place: '/etc/systemd',
    word: /^((re)?enable|disable|(un)?mask|link|edit|preset(-all)?|revert|set-\w+|add-(wants|requires)|import-environment|reboot|poweroff|halt|kexec|suspend|hibernate|hybrid-sleep|isolate|rescue|emergency)$/,
  },
  { programs: /^systemd-run$/, place: '/run/systemd', word: /^--on-/ },
  { programs: /^loginctl$/, place: '/var/lib/systemd', word: /^(enable|disable)-linger$/ },
  { programs: /^(update-rc\.d|chkconfig|rc-update)$/, place: '/etc/init.d', unless: /^(--list|show)$/ },
  {
    programs: /^(reboot|shutdown|poweroff|halt|kexec|pm-(suspend|hibernate)|(restart|stop)-computer)$/,
    place: '/run/systemd',
    unless: STOPS_NOTHING,
  },
  // It lets these files run whenever a shell enters the folder.
  { programs: /^direnv$/, place: '.envrc', word: /^(allow|permit|grant)$/ },
  { programs: /^(mise|rtx)$/, place: 'mise.toml', word: /^trust$/ },
  { programs: /^(tel)?init$/, place: '/run/systemd', word: /^[0-6sS]$/ },
  { programs: /^(docker|podman|nerdctl)$/, place: '/', word: FREES_CONTAINER, isSplit: true },
  {
    programs: /^launchctl$/,
    place: '/Library/LaunchDaemons',
    word: /^((un)?load|bootstrap|bootout|enable|disable|submit|setenv|config)$/,
  },
  {
    programs:
      /^((user|group)(add|mod|del)|(add|del)(user|group)|gpasswd|passwd|chpasswd|newusers|chsh|chfn|chage|vipw|vigr|dscl|dseditgroup|sysadminctl)$/,
    place: '/etc/passwd',
    unless: /^(--help|--version|-S|--status|--list-shells|-read|-list|-l)$/,
  },
  { programs: /^visudo$/, place: '/etc/sudoers', unless: /^(-c|--check|-V)$/ },
  { programs: /^(insmod|modprobe|rmmod|kextload)$/, place: '/lib/modules', unless: /^(-n|--dry-run|-V)$/ },
  { programs: /^sysctl$/, place: '/proc/sys', word: /^(-[a-z]*[wp]|--(write|load|system))|=/ },
  { programs: /^(defaults|dconf|gsettings)$/, place: '/etc/dconf', word: /^(write|delete|import|load|set|reset)$/ },
  { programs: /^(code(-insiders)?|codium|cursor|windsurf)$/, place: '/usr/share/code', word: /^--(un)?install-ext/ },
  { programs: /^reg$/, place: '/registry', word: /^(add|delete|import|copy|restore|load|save)$/i },
  { programs: /^schtasks$/, place: '/tasks', word: /^[/-](create|change|delete|run)$/i },
  { programs: /^sc$/, place: '/services', word: /^(create|config|delete|failure|sdset)$/i },
  { programs: /^net$/, place: '/accounts', word: /^\/(add|delete|active)/i },
  { programs: /^setx$/, place: '/environment', word: /./ },
  {
    programs:
      /^((new|set|remove)-service|(un)?register-scheduled(task|job)|new-localuser|add-localgroupmember|set-localuser)$/,
    place: '/services',
  },
];

function settingsOfMachine(name: string, rest: readonly ShellWord[]): string | undefined {
  const found = SETTINGS.find(({ programs }) => programs.test(name));
  if (!found) return name === 'ssh-keygen' && !rest.some(({ text }) => NAMES_KEY.test(text)) ? '/root/.ssh' : undefined;
  const { word, unless, place, isSplit } = found;
  // The value of an option may be the next word.
  const texts = rest.flatMap(({ text }, at) => (isSplit ? [text, `${text}=${rest[at + 1]?.text ?? ''}`] : [text]));
  if (unless && rest.some(({ text }) => unless.test(text))) return undefined;
  return !word || (!isSplit && rest.some(({ kind }) => kind !== 'exact')) || texts.some((text) => word.test(text))
    ? place
    : undefined;
}

/** Options of ssh-keygen that name the file for a key, or with which it makes none. */
const NAMES_KEY = /^-[a-zA-Z]*[flFyABHRr]/;

/** Returns the files that socat opens: it writes to either of its two addresses. */
function openedBySocat(rest: readonly ShellWord[]): readonly ShellWord[] {
  return rest.flatMap(({ text, kind }) =>
    Array.from(
      text.matchAll(/(?:^|!!)(?:g?open|creat(?:e)?|file|pipe|fifo|unix-l(?:isten)?|unix-recv\w*):([^,!]+)/gi),
      ([, path = '']): ShellWord => ({ text: path, kind }),
    ),
  );
}

/** Tools that install programs for Git to start. */
const HOOK_TOOLS = /^(husky|pre-commit|lefthook|overcommit|simple-git-hooks)$/;

function setsHooks(name: string, rest: readonly ShellWord[]): boolean {
  const [first] = rest;
  if (!first) return /^(husky|simple-git-hooks)$/.test(name);
  if (name === 'simple-git-hooks') return true;
  return rest.some(({ text }) => /^(--)?(install|init|init-templatedir|add|set|uninstall|sign)$/.test(text));
}

function besides(one: ChangedWords, other: ChangedWords): ChangedWords {
  return { ...one, changed: [...one.changed, ...other.changed], unknown: one.unknown ?? other.unknown };
}

function written(rest: readonly ShellWord[], operands: readonly ShellWord[]): ChangedWords {
  const deep = rest.some(({ text }) => /^-[a-zA-Z]*R|^--rec/.test(text));
  return deep ? { ...NOTHING, changed: operands, copied: operands } : { ...NOTHING, changed: operands };
}

function isUnpacked(rest: readonly ShellWord[]): boolean {
  return rest.some(
    ({ text }, at) => /^--(ext|get?)/.test(text) || (at === 0 ? /^-?[a-zA-Z]*x/ : /^-[a-zA-Z]*x/).test(text),
  );
}

/** Whatever is packed is read with everything in it. */
function packed(operands: readonly ShellWord[]): ChangedWords {
  return { ...NOTHING, copied: operands };
}

function unpackedBy(name: string, rest: readonly ShellWord[]): ChangedWords {
  const isArchiver = rest.some(
    ({ text }, at) => /^-m?(zip|tar)file$/.test(text) || (/^(zip|tar)file$/.test(text) && rest[at - 1]?.text === '-m'),
  );
  return isArchiver && rest.some(({ text }) => /^(-e|--ext)/.test(text)) ? { ...NOTHING, unknown: name } : NOTHING;
}

function afterPrefix(rest: readonly ShellWord[], prefix: string): readonly ShellWord[] {
  return rest.flatMap(({ text, kind }) => (text.startsWith(prefix) ? [{ text: text.slice(prefix.length), kind }] : []));
}

/** Returns the values of an option: the next word, or what follows `=` in the same one. */
function valuesOf(rest: readonly ShellWord[], short: RegExp, long: RegExp): readonly ShellWord[] {
  return rest.flatMap(({ text, kind }, at) => {
    const next = rest[at + 1];
    if (short.test(text) || long.test(text)) return next ? [next] : [];
    const equals = text.indexOf('=');
    return equals > 0 && long.test(text.slice(0, equals)) ? [{ text: text.slice(equals + 1), kind }] : [];
  });
}

function editedInPlace(rest: readonly ShellWord[], operands: readonly ShellWord[]): ChangedWords {
  const inPlace = rest.find(({ text }) => /^-[a-zA-Z]*[iI]|^--i/.test(text));
  if (!inPlace) return NOTHING;
  // Its suffix names the backup of each file, and may include the folder for it.
  if (/^(-[a-zA-Z]*i|--i[\w-]*=).*\//s.test(inPlace.text)) return { ...NOTHING, unknown: inPlace.text };
  const hasScript = rest.some(({ text }) => /^-[a-zA-Z]*[ef]$|^--(expression|file)/.test(text));
  return { ...NOTHING, changed: hasScript ? operands : operands.slice(1) };
}

function found(rest: readonly ShellWord[], shell: ShellKind, depth: number): ChangedWords {
  if (depth > MAX_DEPTH) return { ...NOTHING, unknown: 'find' };
  const first = rest.findIndex(({ text }) => /^[-(!]/.test(text));
  const starts = rest.slice(0, first === -1 ? rest.length : first);
  const written = valuesOf(rest, /^-(fprint0?|fprintf|fls)$/, /^$/);
  const inner = foundCommands(rest).map((command) => changedWords(command, shell, depth + 1));
  // Then, relative paths are below the folders that are searched as well.
  const isInPlace = rest.some(({ text }) => /^-(exec|ok)dir$/.test(text));
  const touches = inner
    .flatMap(({ removed, changed }) => [...removed, ...changed])
    .some(({ text }) => text.includes('{}') || isInPlace);
  const [strange] = inner.flatMap(({ unknown }) => (unknown === null ? [] : [unknown]));
  if (strange !== undefined) return { ...NOTHING, changed: written, unknown: strange };
  if (!touches && !rest.some(({ text }) => text === '-delete')) return { ...NOTHING, changed: written };
  return { ...NOTHING, removed: starts.length > 0 ? starts : [HERE], changed: written };
}

/** A package manager's settings are in files that it reads before it runs anything. */
function ofPackages(name: string, operands: readonly ShellWord[]): ChangedWords {
  const texts = operands.map(({ text }) => text);
  // An option may put its value before either word.
  const config = texts.findIndex((text) => /^(config|c)$/.test(text));
  const sets =
    texts.slice(0, 2).includes('set') ||
    (config !== -1 && texts.slice(config + 1).some((text) => /^(set|delete|rm|edit|fix)$/.test(text)));
  return sets
    ? { ...NOTHING, changed: [{ text: name === 'yarn' ? '.yarnrc.yml' : '.npmrc', kind: 'exact' }] }
    : NOTHING;
}
