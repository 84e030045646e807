type Init = ConstructorParameters<typeof Headers>[0];

/** `Headers` as a Map: the built-in class loads the whole of the built-in fetch. Names are kept in small letters. */
export class PlainHeaders implements Headers {
  private readonly kept = new Map<string, string[]>();
  /** The names in order, while none comes or goes. */
  private sorted: readonly string[] | undefined;

  constructor(init?: Init) {
    if (init === undefined) return;
    for (const [name, value] of pairsOf(init)) this.append(name, value);
  }

  append(name: string, value: string): void {
    const known = this.kept.get(name.toLowerCase());
    if (known) known.push(trimmed(value));
    else this.set(name, value);
  }

  delete(name: string): void {
    this.kept.delete(name.toLowerCase());
    this.sorted = undefined;
  }

  get(name: string): string | null {
    return this.kept.get(name.toLowerCase())?.join(', ') ?? null;
  }

  has(name: string): boolean {
    return this.kept.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.kept.set(name.toLowerCase(), [trimmed(value)]);
    this.sorted = undefined;
  }

  getSetCookie(): string[] {
    return [...(this.kept.get('set-cookie') ?? [])];
  }

  forEach(tell: (value: string, key: string, parent: Headers) => void, self?: unknown): void {
    for (const [name, value] of this.entries()) tell.call(self, value, name, this);
  }

  *entries(): Generator<[string, string], undefined> {
    for (const name of (this.sorted ??= [...this.kept.keys()].sort())) {
      const values = this.kept.get(name) ?? [];
      // The only one that must not be joined.
      if (name === 'set-cookie') for (const value of values) yield [name, value];
      else yield [name, values.join(', ')];
    }
  }

  *keys(): Generator<string, undefined> {
    for (const [name] of this.entries()) yield name;
  }

  *values(): Generator<string, undefined> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): Generator<[string, string], undefined> {
    return this.entries();
  }
}

function pairsOf(init: NonNullable<Init>): Iterable<readonly [string, string]> {
  const pairs = Symbol.iterator in init ? [...init] : Object.entries(init);
  return pairs.map(([name = '', value = '']) => [name, String(value)] as const);
}

function trimmed(value: string): string {
  return value.replace(/^[\t\n\r ]+|[\t\n\r ]+$/g, '');
}
