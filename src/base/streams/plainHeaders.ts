type Init = ConstructorParameters<typeof Headers>[0];

/** `Headers` backed by a Map: the built-in class loads all of the built-in fetch. Names are stored in lowercase. */
export class PlainHeaders implements Headers {
  private readonly kept = new Map<string, string[]>();
  /** Sorted by name and cached until a change: a client reads them several times per request. */
  private pairs: readonly [string, string][] | undefined;

  constructor(init?: Init) {
    if (init === undefined) return;
    for (const [name, value] of pairsOf(init)) this.append(name, value);
  }

  append(name: string, value: string): void {
    const known = this.kept.get(name.toLowerCase());
    if (!known) return this.set(name, value);
    known.push(trimmed(value));
    this.pairs = undefined;
  }

  delete(name: string): void {
    this.kept.delete(name.toLowerCase());
    this.pairs = undefined;
  }

  get(name: string): string | null {
    return this.kept.get(name.toLowerCase())?.join(', ') ?? null;
  }

  has(name: string): boolean {
    return this.kept.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.kept.set(name.toLowerCase(), [trimmed(value)]);
    this.pairs = undefined;
  }

  getSetCookie(): string[] {
    return [...(this.kept.get('set-cookie') ?? [])];
  }

  forEach(tell: (value: string, key: string, parent: Headers) => void, self?: unknown): void {
    for (const [name, value] of this.entries()) tell.call(self, value, name, this);
  }

  entries(): ArrayIterator<[string, string]> {
    return (this.pairs ??= this.sorted()).values();
  }

  /** Returns each name with its value, repeated ones joined, in no particular order: a request needs none. */
  toRecord(): Record<string, string> {
    const all: Record<string, string> = {};
    for (const [name, values] of this.kept) all[name] = values.join(', ');
    return all;
  }

  keys(): ArrayIterator<string> {
    return [...this.entries()].map(([name]) => name).values();
  }

  values(): ArrayIterator<string> {
    return [...this.entries()].map(([, value]) => value).values();
  }

  [Symbol.iterator](): ArrayIterator<[string, string]> {
    return this.entries();
  }

  private sorted(): [string, string][] {
    const names = [...this.kept.keys()].sort();
    return names.flatMap((name): [string, string][] => {
      const values = this.kept.get(name) ?? [];
      // The only header that must not be joined.
      return name === 'set-cookie' ? values.map((value) => [name, value]) : [[name, values.join(', ')]];
    });
  }
}

function pairsOf(init: NonNullable<Init>): Iterable<readonly [string, string]> {
  const pairs = Symbol.iterator in init ? [...init] : Object.entries(init);
  return pairs.map(([name = '', value = '']) => [name, String(value)] as const);
}

function trimmed(value: string): string {
  return value.replace(/^[\t\n\r ]+|(?<![\t\n\r ])[\t\n\r ]+$/g, '');
}
