import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { nameOfStored, PROVIDER_KEYS, type SecretStore, storedName } from '../engine';

/** Prefix of Cairn's keys in the extension's secret storage. */
const PREFIX = 'cairn.';

/**
 * Looks up keys in the editor's SecretStorage, first by name, then by the key's variable name, and then in the environment. Keys
 * are never written anywhere else.
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

  /** Hides a value that is stored elsewhere, such as a token, from now on. */
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

  /** The value stored by the editor, ignoring the environment. */
  async kept(name: string): Promise<string | undefined> {
    return this.storage.get(PREFIX + name);
  }

  /** An empty value deletes the secret. */
  async set(name: string, value: string): Promise<void> {
    if (value === '') await this.storage.delete(PREFIX + name);
    else await this.storage.store(PREFIX + name, value);
  }

  dispose(): void {
    this.listening.dispose();
    this.changes.dispose();
  }

  /** A secret that the user named `OPENAI_API_KEY` serves as that key. */
  private async keptAsVariable(name: string): Promise<string | undefined> {
    const provider = PROVIDER_KEYS.find(({ id }) => name === `apiKey.${id}`);
    return provider && this.kept(storedName(provider.keyVariable));
  }
}
