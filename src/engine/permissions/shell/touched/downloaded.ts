import type { ShellWord } from '../shellPart';
import { type ChangedWords, givenOptions, isOneOf, NOTHING } from './changed';

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
