import { PROVIDER_KEYS } from '../llm/providers/providerKeys';
import type { SecretStore, TextPieces } from '../ports';
import { secretForms } from './secretForms';
import { SecretScan } from './secretScan';

/** Redacts every secret that a store has or has ever returned, in any form it may be written. */
export class KnownSecrets implements SecretStore {
  private readonly values = new Set<string>();
  private compiled: SecretScan | undefined;
  private reading: Promise<void> | undefined;

  constructor(private readonly store: SecretStore) {
    this.learn();
    // Never unsubscribed: the store has the same lifetime.
    store.onChange?.(() => void this.lookAgain());
  }

  async get(name: string): Promise<string | undefined> {
    const value = await this.store.get(name);
    if (value !== undefined) this.learn([value]);
    return value;
  }

  async names(): Promise<readonly string[]> {
    return (await this.store.names?.()) ?? [];
  }

  /** Resolves once all stored secrets that the store makes available are known. */
  ready(): Promise<void> {
    this.reading ??= this.learnAll();
    return this.reading;
  }

  /** Like `ready`, but includes secrets stored since the last call. */
  lookAgain(): Promise<void> {
    this.reading = undefined;
    return this.ready();
  }

  strike(text: string): string {
    return this.scan.scan(text, false).struck;
  }

  /** Redacts a text that arrives in pieces. */
  stream(): TextPieces {
    let held = '';
    const next = (piece: string, isOpen: boolean) => {
      const scanned = this.scan.scan(held + piece, isOpen);
      held = scanned.held;
      return scanned.struck;
    };
    return { push: (piece) => next(piece, true), end: () => next('', false) };
  }

  private get scan(): SecretScan {
    return (this.compiled ??= new SecretScan([...this.values].flatMap(secretForms)));
  }

  private async learnAll(): Promise<void> {
    this.learn();
    if (this.store.isLocked?.()) return;
    const own = this.names().then((names) => Promise.allSettled(names.map((name) => this.get(name))));
    const keys = PROVIDER_KEYS.map(({ id }) => this.get(`apiKey.${id}`));
    await Promise.allSettled([own, ...keys]);
  }

  private learn(values = this.store.hidden?.() ?? []): void {
    const before = this.values.size;
    for (const value of values) this.values.add(value);
    if (this.values.size > before) this.compiled = undefined;
  }
}
