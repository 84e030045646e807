/** Front matter that was no YAML, made to be some. */
export interface MendedYaml {
  /** As many lines as before. */
  text: string;
  /** Those that are read as text now, from 1. */
  lines: readonly number[];
}

interface Entry {
  key: string;
  /** Index of its first line, and of the one behind its last. */
  start: number;
  end: number;
}

const ENTRY = /^([A-Za-z_][\w.-]*)[ \t]*:(?=[ \t]|$)/;
/** What may stand at the start of a line and is no entry: nothing, a comment, an item, the end of a list. */
const GOES_ON = /^(?:$|[\s#\]}]|-(?:\s|$))/;

/** What is only shown to people, and often begins like a list, says the same as text. */
const SHOWN_ONLY: ReadonlySet<string> = new Set(['argument-hint']);

/**
 * The top-level entries of a text, each by itself: one that does not parse counts as plain text, as other tools take it. Where lines stand
 * between them that are no entries, only `keys` begin one. Undefined when there is none.
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

/** What stands behind the key, without quotes around it and without the sign of a block. */
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
