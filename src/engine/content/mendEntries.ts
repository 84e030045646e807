/** Invalid front matter, converted to valid YAML. */
export interface MendedYaml {
  /** Has as many lines as the original. */
  text: string;
  /** 1-based lines that are now read as text. */
  lines: readonly number[];
}

interface Entry {
  key: string;
  /** Index of its first line, and of the line after its last. */
  start: number;
  end: number;
}

const ENTRY = /^([A-Za-z_][\w.-]*)[ \t]*:(?=[ \t]|$)/;
/** Lines that do not start an entry: empty lines, comments, list items, and the end of a list. */
const GOES_ON = /^(?:$|[\s#\]}]|-(?:\s|$))/;

/** Only displayed; often starts like a list, and reading it as text loses nothing. */
const SHOWN_ONLY: ReadonlySet<string> = new Set(['argument-hint']);

/**
 * Parses each top-level entry separately: an invalid one counts as plain text, as in other tools. If other lines appear between
 * the entries, or a key is duplicated, only `keys` start an entry. Returns undefined if there is no entry.
 */
export function mendEntries(
  text: string,
  keys: readonly string[],
  parses: (yaml: string) => boolean,
): MendedYaml | undefined {
  const lines = text.split('\n');
  const entries = entriesOf(lines, keys);
  const [first] = entries;
  if (!first) return undefined;
  const front = lines.slice(0, first.start);
  const mended: string[] = front.map(() => '');
  const told = front.flatMap((line, at) => (GOES_ON.test(line) ? [] : [at + 1]));
  for (const { key, start, end } of entries) {
    const own = lines.slice(start, end);
    if (parses(own.join('\n'))) mended.push(...own);
    else {
      mended.push(`${key}: ${JSON.stringify(wordsOf(own))}`, ...own.slice(1).map(() => ''));
      if (!SHOWN_ONLY.has(key)) told.push(start + 1);
    }
  }
  return { text: mended.join('\n'), lines: told };
}

function entriesOf(lines: readonly string[], keys: readonly string[]): Entry[] {
  const keyAt = lines.map((line) => ENTRY.exec(line)?.[1]);
  const written = keyAt.filter((key) => key !== undefined);
  const isOrderly =
    new Set(written).size === written.length &&
    lines.every((line, at) => keyAt[at] !== undefined || GOES_ON.test(line));
  const seen = new Set<string>();
  const starts = keyAt.flatMap((key, start) => {
    if (key === undefined || seen.has(key) || !(isOrderly || keys.includes(key))) return [];
    seen.add(key);
    return [{ key, start }];
  });
  return starts.map((one, at) => ({ ...one, end: starts[at + 1]?.start ?? lines.length }));
}

/** Returns the text after the key, without surrounding quotes or a block indicator. */
function wordsOf(own: readonly string[]): string {
  const [front = '', ...more] = own;
  const rest = front
    .replace(ENTRY, '')
    .trim()
    .replace(/^-\s+(?=\S)/, '');
  const words = [/^[|>][-+\d]*$/.test(rest) ? '' : rest, ...more.map((line) => line.trim())].join('\n').trim();
  const [, quote, inside] = /^(["'])([^]*)\1$/.exec(words) ?? [];
  if (inside === undefined) return words;
  return quote === '"' ? inside.replace(/\\(["\\])/g, '$1').replaceAll('\\n', '\n') : inside.replaceAll("''", "'");
}
