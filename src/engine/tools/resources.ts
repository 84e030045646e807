import { EngineError } from '../engineError';

/** The key of a resource. Create it once and share it: two keys with the same name are different. */
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

/** Things that tools need and that are not JSON: connections, clients, caches. They are never stored with a session. */
export class Resources {
  private constructor(private readonly behind: readonly Resources[]) {}

  static readonly none = new Resources([]);

  /** Returns a copy with one more resource, which overrides an existing one with the same key. */
  with<T>(key: ResourceKey<T>, value: T): Resources {
    const more = new Resources([this]);
    key.keep(more, value);
    return more;
  }

  /** Returns these, falling back to `others`. */
  before(others: Resources): Resources {
    if (others === Resources.none) return this;
    return this === Resources.none ? others : new Resources([this, others]);
  }

  /** Returns undefined if there is none. */
  get<T>(key: ResourceKey<T>): T | undefined {
    return this.find(key)?.value;
  }

  /** Throws EngineError `not-found` with the name of the key if there is none. */
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
