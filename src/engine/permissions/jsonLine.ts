/**
 * Returns the line, from 1, of the value at `path`. If the text is not JSON or has no such value, the line up to which it could
 * be followed.
 */
export function jsonLine(text: string, path: readonly PropertyKey[]): number {
  let found = 0;
  const isOnTheWay = (within: readonly string[]) => within.every((key, index) => key === String(path[index]));
  const mistake = new JsonReader(text, (within, at) => {
    if (isOnTheWay(within)) found = at;
  }).read();
  return lineAt(text, mistake ?? found);
}

/** Returns the lines, from 1, of the members of the object at `path`, by their names as written, up to the first syntax error. */
export function memberLines(text: string, path: readonly string[]): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let [line, before] = [1, 0];
  new JsonReader(text, (within, at) => {
    const name = within[path.length];
    if (name === undefined || within.length > path.length + 1 || path.some((key, depth) => within[depth] !== key))
      return;
    line += lineAt(text.slice(before, at), at) - 1;
    before = at;
    lines.set(name, line);
  }).read();
  return lines;
}

/** The offsets of a value: `end` is just after it; `from` is where its key begins, or the value itself if it has none. */
export interface JsonSpan {
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

/** Returns the span of each value of a JSON text, keyed by the JSON of its path. */
export function jsonSpans(text: string): ReadonlyMap<string, JsonSpan> {
  const spans = new Map<string, JsonSpan>();
  const reader = new JsonReader(
    text,
    () => undefined,
    (path, span) => spans.set(JSON.stringify(path), span),
  );
  reader.read();
  return spans;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

const SPACE = /\s*/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const SCALAR = /-?\d[\d.eE+-]*|true|false|null/y;

/** Reads a text as JSON up to its end, its first syntax error, or depth 100. */
class JsonReader {
  private at = 0;
  private mistake: number | undefined;

  /** `meet` is called for each value with its path and start offset, `leave` when the value ends. */
  constructor(
    private readonly text: string,
    private readonly meet: (path: readonly string[], at: number) => void,
    private readonly leave?: (path: readonly string[], span: JsonSpan) => void,
  ) {}

  /** Returns the offset of the first syntax error, if any. */
  read(): number | undefined {
    this.value([]);
    this.take(SPACE);
    if (this.at < this.text.length) this.fail();
    return this.mistake;
  }

  private get broken(): boolean {
    return this.mistake !== undefined;
  }

  private value(path: readonly string[], from?: number): void {
    this.take(SPACE);
    const start = this.at;
    if (path.length > 100) return this.fail();
    if (!this.broken) this.meet(path, this.at);
    const opening = this.text.charAt(this.at);
    if (opening === '{') this.members('}', () => this.member(path));
    else if (opening === '[') {
      let index = 0;
      this.members(']', () => this.value([...path, String(index++)]));
    } else if (this.take(STRING) === undefined && this.take(SCALAR) === undefined) this.fail();
    this.leave?.(path, { from: from ?? start, start, end: this.at });
  }

  private members(closing: string, member: () => void): void {
    this.at++;
    this.take(SPACE);
    if (this.skip(closing)) return;
    do {
      member();
      this.take(SPACE);
    } while (!this.broken && this.skip(','));
    if (!this.broken && !this.skip(closing)) this.fail();
  }

  private member(path: readonly string[]): void {
    this.take(SPACE);
    const from = this.at;
    const key = this.take(STRING);
    this.take(SPACE);
    if (key === undefined || !this.skip(':')) return this.fail();
    this.value([...path, key.slice(1, -1)], from);
  }

  private skip(character: string): boolean {
    if (this.text.charAt(this.at) !== character) return false;
    this.at++;
    return true;
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const [match] = pattern.exec(this.text) ?? [];
    this.at += match?.length ?? 0;
    return match;
  }

  private fail(): void {
    this.mistake ??= this.at;
  }
}
