import { PROVIDER_KEYS } from '../llm/providers/providerKeys';
import type { SecretStore, TextPieces } from '../ports';
import { secretForms } from './secretForms';
import { SecretScan } from './secretScan';

/** Strikes out of texts what a store of secrets keeps, and gave before, however it is written there. */
export class KnownSecrets implements SecretStore {
  private readonly values = new Set<string>();
  private compiled: SecretScan | undefined;
  private reading: Promise<void> | undefined;

  constructor(private readonly store: SecretStore) {
    this.learn();
    // As long as the store tells it: both end together.
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

  /** Resolves when all that is kept is known, as far as the store gives it. */
  ready(): Promise<void> {
    this.reading ??= this.learnAll();
    return this.reading;
  }

  /** The same with what was stored since it was looked last. */
  lookAgain(): Promise<void> {
    this.reading = undefined;
    return this.ready();
  }

  strike(text: string): string {
    return this.scan.scan(text, false).struck;
  }

  /** The same for a text that comes in pieces. */
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
