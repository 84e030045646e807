import type { ShellRedirection, ShellWord } from '../shellPart';
import { programName } from '../unwrapCommand';
import { givenOptions, isOneOf, operandsOf } from './changed';

const REQUESTERS =
  /^(curl|wget|aria2c|git|lynx|w3m|e?links|iwr|irm|invoke-webrequest|invoke-restmethod|start-bitstransfer)$/;
/** Programs that copy to other machines, with the options whose value is the next word. */
const COPIERS: Readonly<Record<string, RegExp>> = {
  scp: /^-[a-zA-Z\d]*[iFPlcoJSDX]$/,
  rsync:
    /^-[a-zA-Z]*[efTMB@]$|^--(exclude|include|filter|rsh|files|link|comp|copy-dest|log|partial-dir|temp|backup-dir|suffix|pass|bw|port|max|min|chmod|chown|timeout|info|out-)[\w-]*$/,
};
const REMOTE = /^[^/]*:/;
/** To zsh, this is a variable whose value is changed, and so may be a path. */
const CHANGED_BY_ZSH = /\$\w+:[\w&]/;
const ADDRESS = /^(?:--?[\w-]+[=:])?file:(.*)$/is;
/** Options of curl whose value is the path of a file that it sends; letters that take a value. */
const SENDS = ['-T', '--upload-file'];
/** Options of curl with the path of what it connects to, such as the socket with which Docker is controlled. */
const CONNECTS = ['--unix-socket'];
/** Subcommands of Git that read another repository. */
const READS_OTHER = /^(clone|fetch|pull|ls-remote|remote|submodule)$/;
const VALUED = 'AbcCdDeEFhHKmoPQrtTuUwxXyYz';
/** Options of curl whose value names such a file after a certain sign. */
const SENDS_NAMED: readonly (readonly [options: readonly string[], file: RegExp])[] = [
  [
    [
      '-d',
      '--data',
      '--data-ascii',
      '--data-binary',
      '--json',
      '-H',
      '--header',
      '--proxy-header',
      '-w',
      '--write-out',
    ],
    /^@(.+)$/s,
  ],
  [['--data-urlencode', '--url-query', '--variable'], /^[^=@]*@(.+)$/s],
  [['-F', '--form'], /=[@<]([^;]+)/s],
  [['-b', '--cookie'], /^([^=$`]+)$/s],
];

/**
 * Returns the files of this machine that a program reads in order to send them, or through an address, as the shell would open
 * them for it: programs with other purposes may read files outside the workspace, but these pass them on.
 */
export function requestedFiles(command: readonly ShellWord[]): readonly ShellRedirection[] {
  const [program, ...rest] = command;
  const name = programName(program);
  const valued = Object.hasOwn(COPIERS, name) ? COPIERS[name] : undefined;
  if (valued) return reads(sentByCopy(rest, valued));
  if (!REQUESTERS.test(name)) return [];
  if (name === 'git' && !rest.some(({ text }) => READS_OTHER.test(text))) return [];
  const addressed = rest.flatMap((word) => ofAddress(word) ?? []);
  if (name !== 'curl') return reads(addressed);
  const given = givenOptions(rest, VALUED);
  const isSent = given.some(({ option }) => isOneOf(option, SENDS));
  const sent = given.flatMap(({ option, value }): readonly ShellWord[] => {
    if (!value) return [];
    if (option.startsWith('--proto-d')) return [{ ...value, kind: 'unknown' }];
    if (isOneOf(option, [...SENDS, ...CONNECTS])) return [value];
    const file = SENDS_NAMED.find(([options]) => isOneOf(option, options))?.[1].exec(value.text)?.[1];
    return file === undefined ? [] : [{ ...value, text: file }];
  });
  const written = isSent ? addressed.map((target) => ({ kind: 'write', target }) as const) : [];
  return [...written, ...reads([...addressed, ...sent.filter(({ text }) => !/^[-.]$/.test(text))])];
}

function reads(words: readonly ShellWord[]): readonly ShellRedirection[] {
  // A pattern without a folder finds files in the current one.
  return words.filter(({ kind }) => kind !== 'names').map((target) => ({ kind: 'read', target }));
}

/** Returns the path in a `file:` address; undefined for any other word. */
function ofAddress({ text, kind }: ShellWord): ShellWord | undefined {
  const [, rest] = ADDRESS.exec(text) ?? [];
  if (rest === undefined) return undefined;
  const path = rest.replace(/^\/\/[^/]*/, '').replace(/^\/(?=[a-z]:)/i, '');
  // Whoever reads it may expand braces, and decodes the rest.
  const isKnown = kind === 'exact' && !/[%{}[\]]/.test(path) && /^(\/|[a-z]:)/i.test(path);
  return isKnown ? { text: path, kind } : { text, kind: 'unknown' };
}

/** Returns what is copied to another machine. */
function sentByCopy(rest: readonly ShellWord[], valued: RegExp): readonly ShellWord[] {
  const values = new Set(rest.filter((_, at) => valued.test(rest[at - 1]?.text ?? '')));
  const operands = operandsOf(rest, 'posix').filter((word) => !values.has(word));
  const isSent = REMOTE.test(operands.at(-1)?.text ?? '');
  return isSent ? operands.slice(0, -1).filter(({ text }) => !REMOTE.test(text) || CHANGED_BY_ZSH.test(text)) : [];
}
