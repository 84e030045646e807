import { type Disposable, Emitter } from '../../base/disposable';
import type { SecretStore } from '../ports';

/** Secrets that come up at run time, such as tokens: redacted from then on, but stored elsewhere. */
export class PassingSecrets {
  private readonly values: string[] = [];
  private readonly changes = new Emitter<void>(() => undefined);

  readonly hide = (value: string): void => {
    if (this.values.includes(value)) return;
    this.values.push(value);
    this.changes.emit();
  };

  /** Returns the store with these secrets among those it hides. */
  within(store: SecretStore): SecretStore {
    return {
      get: (name) => store.get(name),
      isLocked: () => store.isLocked?.() ?? false,
      names: async () => (await store.names?.()) ?? [],
      onChange: (listener) => this.onChange(store, listener),
      hidden: () => [...(store.hidden?.() ?? []), ...this.values],
    };
  }

  private onChange(store: SecretStore, listener: () => void): Disposable {
    const both = [store.onChange?.(listener), this.changes.on(listener)];
    return { dispose: () => both.forEach((one) => one?.dispose()) };
  }
}
