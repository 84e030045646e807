import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { nameOfStored, PROVIDER_KEYS, type SecretStore, storedName } from '../../engine';

/** Whose secret it is among those that the editor keeps for this extension. */
const PREFIX = 'cairn.';

/**
 * Keys in the editor's SecretStorage first, then what is kept there under the name of the key's variable, then the environment.
 * They are never written anywhere else.
 */
export class VscodeSecretStore implements SecretStore, Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly listening: Disposable;
  private readonly passing: string[] = [];

  constructor(
    private readonly storage: vscode.SecretStorage,
    private readonly environment: SecretStore,
  ) {
    this.listening = storage.onDidChange(() => this.changes.fire());
  }

  async get(name: string): Promise<string | undefined> {
    return (await this.kept(name)) ?? (await this.keptAsVariable(name)) ?? (await this.environment.get(name));
  }

  hidden(): readonly string[] {
    return [...(this.environment.hidden?.() ?? []), ...this.passing];
  }

  /** Another value that nobody may be shown from now on, such as a token; it is kept by others. */
  readonly hide = (value: string): void => {
    if (this.passing.includes(value)) return;
    this.passing.push(value);
    this.changes.fire();
  };

  async names(): Promise<readonly string[]> {
    const all = (await this.storage.keys()).filter((key) => key.startsWith(PREFIX));
    return all.map((key) => key.slice(PREFIX.length)).filter((name) => nameOfStored(name) !== undefined);
  }

  onChange(listener: () => void): Disposable {
    return this.changes.event(listener);
  }

  /** What the editor itself keeps, whatever the environment says. */
  async kept(name: string): Promise<string | undefined> {
    return this.storage.get(PREFIX + name);
  }

  /** An empty value forgets the secret. */
  async set(name: string, value: string): Promise<void> {
    if (value === '') await this.storage.delete(PREFIX + name);
    else await this.storage.store(PREFIX + name, value);
  }

  dispose(): void {
    this.listening.dispose();
    this.changes.dispose();
  }

  /** A secret that the person named `OPENAI_API_KEY` is that key. */
  private async keptAsVariable(name: string): Promise<string | undefined> {
    const provider = PROVIDER_KEYS.find(({ id }) => name === `apiKey.${id}`);
    return provider && this.kept(storedName(provider.keyVariable));
  }
}
