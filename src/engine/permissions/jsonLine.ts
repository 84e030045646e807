/** The line, from 1, of the value at `path`; where the text is no JSON, or has no such value, how far it could be followed. */
export function jsonLine(text: string, path: readonly PropertyKey[]): number {
  const reader = new JsonReader(text, path);
  reader.read();
  return text.slice(0, reader.found).split('\n').length;
}

const SPACE = /\s*/y;
const STRING = /"(?:[^"\\\n]|\\.)*"/y;
const SCALAR = /-?\d[\d.eE+-]*|true|false|null/y;

/** Follows a text as JSON until its end, its first mistake, or depth 100. */
class JsonReader {
  private at = 0;
  private broken = false;
  /** Where the wanted value begins, or the mistake is. */
  found = 0;

  constructor(
    private readonly text: string,
    private readonly target: readonly PropertyKey[],
  ) {}

  read(): void {
    this.value([]);
    this.take(SPACE);
    if (this.at < this.text.length) this.fail();
  }

  private value(path: readonly PropertyKey[]): void {
    this.take(SPACE);
    if (path.length > 100) return this.fail();
    if (!this.broken && path.every((key, index) => String(key) === String(this.target[index]))) this.found = this.at;
    const opening = this.text.charAt(this.at);
    if (opening === '{') this.members('}', () => this.member(path));
    else if (opening === '[') {
      let index = 0;
      this.members(']', () => this.value([...path, index++]));
    } else if (this.take(STRING) === undefined && this.take(SCALAR) === undefined) this.fail();
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

  private member(path: readonly PropertyKey[]): void {
    this.take(SPACE);
    const key = this.take(STRING);
    this.take(SPACE);
    if (key === undefined || !this.skip(':')) return this.fail();
    this.value([...path, key.slice(1, -1)]);
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
    if (!this.broken) this.found = this.at;
    this.broken = true;
  }
}
