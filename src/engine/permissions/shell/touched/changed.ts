import type { ShellWord } from '../shellPart';
import type { ShellKind } from '../shellParts';

/** The words of a command that say what it touches, other than by reading. */
export interface ChangedWords {
  /** With everything in them. */
  removed: readonly ShellWord[];
  changed: readonly ShellWord[];
  /** Read, with everything in them. */
  copied: readonly ShellWord[];
  /** The word that decides which files are written, if the line does not name them. */
  unknown: string | null;
}

export const NOTHING: ChangedWords = { removed: [], changed: [], copied: [], unknown: null };
export const GIT_HOOKS: ChangedWords = { ...NOTHING, changed: [{ text: '.git/hooks', kind: 'exact' }] };

/** A word of a program after which package names follow, rather than what it starts. */
export const NAMES_PACKAGES = /^(add|install|i|remove|uninstall|upgrade|update|search|show|info|-S\w*)$/;

/** An option, with the value in the same word or the next. */
interface GivenOption {
  /** As in `-o` or `--output`. */
  option: string;
  value: ShellWord | undefined;
}

export function operandsOf(words: readonly ShellWord[], shell: ShellKind): readonly ShellWord[] {
  const end = words.findIndex(({ text }) => text === '--');
  const isOption = ({ text }: ShellWord) =>
    (text.startsWith('-') && text !== '-') || (shell === 'windows' && /^\/\w$/.test(text));
  const before = words.slice(0, end === -1 ? words.length : end).filter((word) => !isOption(word));
  return end === -1 ? before : [...before, ...words.slice(end + 1)];
}

/** Returns the options of a call, with combined letters split up; `valued` are the letters that take a value. */
export function givenOptions(words: readonly ShellWord[], valued: string): readonly GivenOption[] {
  const end = words.findIndex(({ text }) => text === '--');
  const all = end === -1 ? words : words.slice(0, end);
  return all.flatMap((word, at): GivenOption[] => {
    const next = all[at + 1];
    const { text, kind } = word;
    const equals = text.indexOf('=');
    if (text.startsWith('--') && equals > 0)
      return [{ option: text.slice(0, equals), value: { text: text.slice(equals + 1), kind } }];
    if (text.startsWith('--')) return [{ option: text, value: next }];
    if (!text.startsWith('-')) return [];
    const first = Array.from(text.slice(1)).findIndex((letter) => valued.includes(letter));
    const letters = first === -1 ? text.slice(1) : text.slice(1, first + 2);
    const glued = first === -1 ? '' : text.slice(first + 2);
    const value = glued === '' ? next : { text: glued, kind };
    return Array.from(new Set(letters), (letter) => ({ option: `-${letter}`, value }));
  });
}

/** Returns true for one of the options; a long one may be abbreviated, as GNU programs allow. */
export function isOneOf(option: string, options: readonly string[]): boolean {
  return options.some(
    (one) => one === option || (option.length > 2 && option.startsWith('--') && one.startsWith(option)),
  );
}

const COPIES = /^(copy|xcopy|robocopy|replace|expand|makecab|cp|cpi|copy-item|compress-archive)$/;
const MOVES = /^(move|mv|mi|move-item|ren|rename|rni|rename-item)$/;
const REMOVES = /^(del|erase|rd|rmdir|ri|rm|remove-item)$/;
const WRITES =
  /^(mklink|md|mkdir|ni|new-item|sc|set-content|ac|add-content|clc|clear-content|cli|clear-item|si|set-item|out-file|tee|tee-object|epcsv|export-\w+|attrib|icacls|takeown|compact|cipher|touch)$/;
/** Commands that write what they download or decode to the path in the last word, or after a parameter such as `-OutFile`. */
const FETCHES = /^(certutil|bitsadmin|start-bitstransfer|iwr|irm|wget|curl|invoke-webrequest|invoke-restmethod)$/;
/** Places of PowerShell that are no files: the registry, and what later commands mean. */
const SETTING = /^["']?(registry::|hk(lm|cu|cr|u|cc|ey_\w+)(:|\\|$)|(function|alias|cert|wsman):)/i;
const READS =
  /^(get-\w+|gp|gpv|gi|gci|ls|dir|cat|gc|type|test-path|resolve-path|rvpa|cd|sl|set-location|pushd|push-location|echo|write-\w+|reg)$/;
const UNPACKS = /^(expand-archive)$/;

/** Returns what a program or a command of cmd or PowerShell touches through its words; undefined for any other. */
export function changedOnWindows(name: string, rest: readonly ShellWord[]): ChangedWords | undefined {
  const { operands, targets, sources } = taken(rest);
  const all = [...operands, ...sources, ...targets];
  const setting = all.find(({ text }) => SETTING.test(text));
  if (setting && !READS.test(name)) return { ...NOTHING, unknown: setting.text };
  if (REMOVES.test(name)) return { ...NOTHING, removed: all };
  if (WRITES.test(name)) return { ...NOTHING, changed: all };
  if (MOVES.test(name)) return { ...NOTHING, removed: [...operands.slice(0, 1), ...sources], changed: all };
  if (UNPACKS.test(name)) return { ...NOTHING, unknown: name };
  const has = (option: RegExp) => rest.some(({ text }) => option.test(text));
  if (COPIES.test(name)) {
    const from = targets.length > 0 ? operands : operands.slice(0, 1);
    const to = targets.length > 0 ? targets : operands.slice(sources.length > 0 ? 0 : 1);
    const removed = [...(has(/^\/(mir|purge)$/i) ? to : []), ...(has(/^\/move?$/i) ? from : [])];
    return { ...NOTHING, changed: to, copied: [...from, ...sources], removed };
  }
  if (!FETCHES.test(name)) return undefined;
  if (targets.length > 0) return { ...NOTHING, changed: targets };
  // Otherwise they are called like the programs of the same names.
  return /^(certutil|bitsadmin|start-bitstransfer)$/.test(name)
    ? { ...NOTHING, changed: operands.slice(1).slice(-1) }
    : undefined;
}

/** Sorts words by the parameter before them. Parameter names may be abbreviated, and the value may follow a colon. */
function taken(rest: readonly ShellWord[]) {
  const operands: ShellWord[] = [];
  const targets: ShellWord[] = [];
  const sources: ShellWord[] = [];
  let into = operands;
  for (const { text, kind } of rest) {
    const [, parameter, value = ''] = /^-([a-z]+)(?::(.*))?$/is.exec(text) ?? [];
    if (parameter === undefined) {
      // A slash followed by letters is an option of cmd.
      if (!/^\/[a-z?-]+(:\S*)?$/i.test(text)) into.push({ text, kind });
      into = operands;
      continue;
    }
    into = /^(des|outf|filep)/i.test(parameter)
      ? targets
      : /^(p|pa|pat|path|lit\w*|inp\w*)$/i.test(parameter)
        ? sources
        : operands;
    if (value !== '') into.push({ text: value.replace(/^["']/, ''), kind });
  }
  return { operands, targets, sources };
}

/** The options of a program that name what it writes. */
interface Writer {
  /** Letters that take a value. */
  valued: string;
  /** Options whose value is written to. */
  writes: readonly string[];
  /** Options that let a file or the server decide what is written. */
  unknown: readonly string[];
}

const WRITERS: Readonly<Record<string, Writer>> = {
  curl: {
    valued: 'AbcCdDeEFhHKmoPQrtTuUwxXyYz',
    writes: wordsOf(
      '-o -D -c --output --output-dir --dump-header --cookie-jar --trace --trace-ascii --stderr --libcurl --etag-save --hsts --alt-svc',
    ),
    unknown: wordsOf('-J -K --remote-header-name --config'),
  },
  wget: {
    valued: 'oaeiBtOTwQPUlARDIX',
    writes: wordsOf(
      '-o -a -O -P --output-file --append-output --output-document --directory-prefix --save-cookies --warc-file --warc-tempdir --rejected-log --hsts-file',
    ),
    unknown: wordsOf(
      '-i -r -m -x -p --input-file --recursive --mirror --force-directories --page-requisites --content-disposition --trust-server-names --config',
    ),
  },
  sort: { valued: 'kStTo', writes: wordsOf('-o -T --output --temporary-directory'), unknown: [] },
  rsync: {
    valued: 'efTMB',
    writes: wordsOf('-T --log-file --backup-dir --partial-dir --temp-dir --write-batch --only-write-batch'),
    unknown: [],
  },
  time: { valued: 'of', writes: wordsOf('-o --output'), unknown: [] },
};

/** Returns what a program writes through its options; `NOTHING` for a program without such options. */
export function writtenByOptions(name: string, rest: readonly ShellWord[]): ChangedWords {
  const known = name.replace(/^g(?=sort|time)/, '');
  const writer = Object.hasOwn(WRITERS, known) ? WRITERS[known] : undefined;
  if (!writer) return NOTHING;
  // For wget, these are options of two letters.
  const words = rest.filter(({ text }) => name !== 'wget' || !/^-n[dcvHph]$/.test(text));
  const given = givenOptions(words, writer.valued);
  const strange = given.find(({ option, value }) => isOneOf(option, writer.unknown) || says(name, option, value));
  if (strange) return { ...NOTHING, unknown: `${name} ${strange.option}` };
  const changed = given.flatMap(({ option, value }) =>
    isOneOf(option, writer.writes) && value && value.text !== '-' ? [value] : [],
  );
  return { ...NOTHING, changed };
}

/** Settings of wget, whose dashes and case may vary. */
const WGET_SETTING =
  /^\s*(output|log|dir|save|input|recursive|mirror|content|trust|page|warc|rejected|hsts|config)[\w-]*\s*=/i;

/** curl replaces a number with part of the address, and what it prints may name a file; wget accepts settings. */
function says(name: string, option: string, value: ShellWord | undefined): boolean {
  if (!value) return false;
  if (name === 'wget') return isOneOf(option, ['-e', '--execute']) && WGET_SETTING.test(value.text);
  if (name !== 'curl') return false;
  return /^(-o|--out)/.test(option)
    ? /#\d/.test(value.text)
    : /^(-w|--wr)/.test(option) && value.text.includes('%output');
}

function wordsOf(text: string): readonly string[] {
  return text.split(' ');
}
