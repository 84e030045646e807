import type { ShellWord } from '../shellPart';
import type { ShellKind } from '../shellParts';
import { type ChangedWords, GIT_HOOKS, NOTHING, operandsOf } from './changed';

const HERE: ShellWord = { text: '.', kind: 'exact' };
const GIT_CONFIG: ChangedWords = { ...NOTHING, changed: [{ text: '.git/config', kind: 'exact' }] };
const WHOLE: ChangedWords = { ...NOTHING, removed: [HERE] };
const GIT_CHANGES =
  /^(clean|config|remote|submodule|init|clone|apply|am|checkout|restore|rm|mv|reset|switch|stash|read-tree|checkout-index|lfs|maintenance|sparse-checkout|flow|secrets)$/;
/** Options before the subcommand that take the next word as their value. */
const GIT_VALUED = /^(-C|-c|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--attr-source)$/;
/** Settings that decide where files are written, or what runnable files go into a new repository. */
const MOVES = /^(core\.worktree|init\.templatedir)(=|$)/i;
const VARIABLE = /^\$\{?[A-Za-z_]\w*\}?$/;

/** Returns what a git call touches, given the words after `git`. */
export function changedByGit(all: readonly ShellWord[], shell: ShellKind): ChangedWords {
  const at = subcommandOfGit(all);
  const [subcommand] = all.slice(at);
  // It may be any subcommand.
  if (subcommand && subcommand.kind !== 'exact' && !VARIABLE.test(subcommand.text))
    return { ...NOTHING, unknown: `git ${subcommand.text}` };
  const before = all.slice(0, at);
  const moved = before.find(({ text }, index) => MOVES.test(settingIn(text, before[index - 1]?.text)));
  if (moved) return { ...NOTHING, unknown: moved.text };
  const away = before.flatMap((word, index) => startedAway(settingIn(word.text, before[index - 1]?.text)));
  if (away.length > 0) return { ...NOTHING, changed: away };
  const changed = bySubcommand(subcommand?.text ?? '', all.slice(at + 1), shell);
  if (changed === NOTHING) return NOTHING;
  const tree = before.find(({ text }) => text.startsWith('--work-tree'));
  if (tree) return { ...NOTHING, unknown: tree.text };
  return before.reduce(
    (words, { text }, index) => (text === '-C' ? fromFolder(words, before[index + 1]) : words),
    changed,
  );
}

/** Settings that name a program for Git to start, or a folder of such programs. */
const STARTS =
  /^(?:core\.(?:hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|attributesfile|alternaterefscommand)|include\.path|includeif\..*\.path|sequence\.editor|.*\.(?:program|helper|cmd|path|textconv|driver|process|clean|smudge|command|uploadpack|receivepack))=([/~].*|(?:.*\/)?\.\.(?:\/.*)?)$/is;
/** Where only an administrator puts programs, and a file that is none. */
const INSTALLED = /^\/(usr|opt|bin|sbin)\/[^\s]*$|^\/dev\/null$/;

function startedAway(setting: string): readonly ShellWord[] {
  const [, path] = STARTS.exec(setting) ?? [];
  return path === undefined || /\s/.test(path) || INSTALLED.test(path)
    ? []
    : [{ text: path, kind: path.startsWith('~') ? 'unknown' : 'exact' }];
}

function settingIn(text: string, before: string | undefined): string {
  return /^(-c|--config-env)$/.test(before ?? '') ? text : text.replace(/^--config-env=/, '');
}

/**
 * Returns the same words relative to another folder. Placeholders for the whole repository and Git's own files are kept, and the
 * folder is added to them.
 */
function fromFolder(words: ChangedWords, folder: ShellWord | undefined): ChangedWords {
  const isOwn = words === WHOLE || words === GIT_CONFIG || words === GIT_HOOKS;
  if (!folder || folder.kind !== 'exact') return { ...NOTHING, unknown: folder?.text ?? 'git -C' };
  if (isOwn) return { ...words, removed: [...words.removed, folder] };
  const below = (word: ShellWord): ShellWord =>
    word.text.startsWith('/') ? word : { ...word, text: `${folder.text}/${word.text}` };
  return { ...words, removed: words.removed.map(below), changed: words.changed.map(below) };
}

function bySubcommand(subcommand: string, rest: readonly ShellWord[], shell: ShellKind): ChangedWords {
  const dashes = rest.findIndex(({ text }) => text === '--');
  const options = rest.slice(0, dashes === -1 ? rest.length : dashes);
  const has = (option: RegExp) => options.some(({ text }) => option.test(text));
  const after = operandsOf(rest, shell);
  const [first] = after;
  switch (subcommand) {
    case 'clean':
      return has(/^-[a-zA-Z]*n|^--dry/) ? NOTHING : after.length > 0 ? chosenByGit(after) : WHOLE;
    case 'config':
      return has(/^(--get(-all|-regexp|-urlmatch|-color|-colorbool)?|--list|-l)$/) ||
        /^(get|list)$/.test(first?.text ?? '')
        ? NOTHING
        : GIT_CONFIG;
    case 'remote':
      return /^(add|set-|rename|remove|rm)/.test(first?.text ?? '') ? GIT_CONFIG : NOTHING;
    case 'submodule':
      return /^(add|set-|deinit|absorb)/.test(first?.text ?? '') ? GIT_CONFIG : NOTHING;
    case 'init':
    case 'clone':
      // Git runs what comes with a template.
      return has(/^--(te|co)|^-c/) ? { ...NOTHING, unknown: `git ${subcommand}` } : NOTHING;
    case 'apply':
      return has(/^--(check|stat|numstat|summary)$/) ? NOTHING : { ...NOTHING, unknown: 'git apply' };
    case 'am':
      return { ...NOTHING, unknown: 'git am' };
    case 'lfs':
      return /^(install|update)$/.test(first?.text ?? '') ? GIT_HOOKS : NOTHING;
    case 'secrets':
      return has(/^--install/) ? GIT_HOOKS : NOTHING;
    case 'flow':
      return first?.text === 'init' ? GIT_CONFIG : NOTHING;
    case 'maintenance':
    case 'sparse-checkout':
      return /^(run|list)$/.test(first?.text ?? '') ? NOTHING : GIT_CONFIG;
    case 'reset':
    case 'switch':
    case 'stash':
    case 'read-tree':
    case 'checkout-index':
      return options.some(({ text }) => takesAll(subcommand, text)) ? WHOLE : NOTHING;
    case 'checkout':
    case 'restore':
    case 'rm':
    case 'mv':
      return options.some(({ text }) => takesAll(subcommand, text)) ? WHOLE : chosenByGit(after);
    default:
      return NOTHING;
  }
}

/** Returns the index of the first word that is neither an option of git itself nor the value of one. */
export function behindOptionsOfGit(words: readonly ShellWord[]): number {
  let at = 0;
  while (words[at]?.text.startsWith('-')) at += GIT_VALUED.test(words[at]?.text ?? '') ? 2 : 1;
  return at;
}

/** Returns the index of the subcommand; if only the shell knows that, of the first word that changes something. */
function subcommandOfGit(words: readonly ShellWord[]): number {
  const at = behindOptionsOfGit(words);
  if (words.slice(0, at + 1).every(({ kind }) => kind === 'exact')) return at;
  const changes = words.findIndex(({ text }) => GIT_CHANGES.test(text));
  return changes === -1 ? at : changes;
}

/** Git has its own patterns: one that is quoted or begins with a colon covers files of the whole workspace. */
function chosenByGit(operands: readonly ShellWord[]): ChangedWords {
  const isWide = operands.some(({ text, kind }) => text.startsWith(':') || (kind === 'exact' && /[*?[]/.test(text)));
  return isWide ? WHOLE : { ...NOTHING, removed: operands };
}

/** Options that restore or remove files of the whole workspace. */
const TAKES_ALL: Readonly<Record<string, RegExp>> = {
  reset: /^--(har|mer|kee)/,
  switch: /^-[a-zA-Z]*f|^--(for|disc|mer)/,
  checkout: /^-(?=[a-zA-Z]*$)[a-zA-Z]*f|^--(for|pathspec-f)/,
  restore: /^--pathspec-f/,
  rm: /^--pathspec-f/,
  stash: /^-[a-zA-Z]*a|^--al/,
  'read-tree': /^-[a-zA-Z]*u|^--re/,
  'checkout-index': /^-[a-zA-Z]*a|^--al/,
};

function takesAll(subcommand: string, option: string): boolean {
  return TAKES_ALL[subcommand]?.test(option) === true;
}
