import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { SecretStore } from '../../engine';
import type { EditorConfigParts, FoundConfig } from './readEditorConfig';

/** Cairn's `config.yaml` and `.env`. The code that reads them is loaded only if one of them exists or a variable is set. */
export class EditorConfig implements Disposable {
  /** Undefined until they are read, or if there is no configuration. */
  found: FoundConfig | undefined;
  /** Disposed with the extension. */
  readonly disposables = new DisposableStore();
  private readonly changes = this.disposables.add(new vscode.EventEmitter<void>());
  readonly onChange = this.changes.event;
  /** Resolves once the configuration is in effect, at once if there is none. */
  ready: Promise<void>;

  constructor(readonly parts: EditorConfigParts) {
    const files = new vscode.RelativePattern(vscode.Uri.file(parts.configFolder), '{config.yaml,.env}');
    const watcher = this.disposables.add(vscode.workspace.createFileSystemWatcher(files));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) event(() => this.readAgain());
    this.ready = this.read();
  }

  /** Also called when a secret that the configuration references may have changed. */
  readAgain(): void {
    this.ready = this.ready.then(() => this.read());
  }

  /** Agent and role for new sessions. */
  readonly speakers = async (): Promise<FoundConfig['speakers'] | undefined> => {
    await this.ready;
    return this.found?.speakers;
  };

  /** Returns a secret from the provider named in `config.yaml`; undefined if none is named. Rejects as the provider does. */
  readonly provided = async (name: string): Promise<string | undefined> => {
    await this.ready;
    return this.found?.file.provided?.get(name);
  };

  /** Has the provider requested anew for a secret. */
  forget(name: string): void {
    this.found?.file.provided?.forget?.(name);
  }

  /** Looks up keys in `environment` first, then in these files. */
  keysAfter(environment: SecretStore): SecretStore {
    return {
      get: async (name) => {
        await this.ready;
        return (await environment.get(name)) ?? this.found?.keys.get(name);
      },
      hidden: () => [...(environment.hidden?.() ?? []), ...(this.found?.keys.hidden?.() ?? [])],
    };
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private async read(): Promise<void> {
    const isThere = (name: string) => existsSync(`${this.parts.configFolder}/${name}`);
    // Most users have none of these, so the reader is loaded on demand.
    const isSaid = Object.keys(this.parts.env).some((name) => /^(?:COYOTE|CAIRN)_(?!CONFIG_DIR$|VAULT_)/.test(name));
    if (this.found ?? (isSaid || ['config.yaml', '.env'].some(isThere)))
      this.found = await (await import('./readEditorConfig')).readEditorConfig(this.parts);
    this.changes.fire();
  }
}
