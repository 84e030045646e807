import type * as vscode from 'vscode';
import type { SecretStore } from '../../engine';

/** Keys in the editor's SecretStorage first, then in the environment. They are never written anywhere else. */
export class VscodeSecretStore implements SecretStore {
  constructor(
    private readonly storage: vscode.SecretStorage,
    private readonly environment: SecretStore,
  ) {}

  async get(name: string): Promise<string | undefined> {
    return (await this.storage.get(`cairn.${name}`)) ?? (await this.environment.get(name));
  }

  hidden(): readonly string[] {
    return this.environment.hidden?.() ?? [];
  }

  /** What the editor itself keeps, whatever the environment says. */
  async kept(name: string): Promise<string | undefined> {
    return this.storage.get(`cairn.${name}`);
  }

  /** An empty value forgets the secret. */
  async set(name: string, value: string): Promise<void> {
    if (value === '') await this.storage.delete(`cairn.${name}`);
    else await this.storage.store(`cairn.${name}`, value);
  }
}
