import { EngineError } from '../engineError';

/** What a resource is found by. Make it once and share it: two keys of one name are two keys. */
export class ResourceKey<T> {
  private readonly values = new WeakMap<object, { readonly value: T }>();

  constructor(readonly name: string) {}

  keep(place: object, value: T): void {
    this.values.set(place, { value });
  }

  keptAt(place: object): { readonly value: T } | undefined {
    return this.values.get(place);
  }
}

/** Things that tools need and that are no JSON: connections, clients, caches. None of it is kept with a session. */
export class Resources {
  private constructor(private readonly behind: readonly Resources[]) {}

  static readonly none = new Resources([]);

  /** The same with one more, which comes before another of the same key. */
  with<T>(key: ResourceKey<T>, value: T): Resources {
    const more = new Resources([this]);
    key.keep(more, value);
    return more;
  }

  /** These, and what they do not have of others. */
  before(others: Resources): Resources {
    if (others === Resources.none) return this;
    return this === Resources.none ? others : new Resources([this, others]);
  }

  /** Undefined when there is none. */
  get<T>(key: ResourceKey<T>): T | undefined {
    return this.find(key)?.value;
  }

  /** Throws EngineError `not-found` with the name of the key when there is none. */
  need<T>(key: ResourceKey<T>): T {
    const found = this.find(key);
    if (found) return found.value;
    const hint = 'Pass it to createEngine or with the run.';
    throw new EngineError('not-found', `There is no resource “${key.name}” in this run. ${hint}`);
  }

  private find<T>(key: ResourceKey<T>): { readonly value: T } | undefined {
    const own = key.keptAt(this);
    if (own) return own;
    for (const one of this.behind) {
      const found = one.find(key);
      if (found) return found;
    }
    return undefined;
  }
}
