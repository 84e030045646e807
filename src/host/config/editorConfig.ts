import { existsSync } from 'node:fs';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { SecretStore } from '../../engine';
import type { EditorConfigParts, FoundConfig } from './foundConfig';

/** `config.yaml` and `.env` of Cairn's own folder. What reads them is loaded once there is one of them. */
export class EditorConfig implements Disposable {
  /** Undefined while nothing was read, and where nothing is said. */
  found: FoundConfig | undefined;
  /** What ends with the extension. */
  readonly disposables = new DisposableStore();
  private readonly changes = this.disposables.add(new vscode.EventEmitter<void>());
  readonly onChange = this.changes.event;
  /** Resolves when what is said there counts; at once where nothing is. */
  ready: Promise<void>;

  constructor(readonly parts: EditorConfigParts) {
    const files = new vscode.RelativePattern(vscode.Uri.file(parts.configFolder), '{config.yaml,.env}');
    const watcher = this.disposables.add(vscode.workspace.createFileSystemWatcher(files));
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) event(() => this.readAgain());
    this.ready = this.read();
  }

  /** Also when a secret that it names may be another one. */
  readAgain(): void {
    this.ready = this.ready.then(() => this.read());
  }

  /** Who answers in new sessions. */
  readonly speakers = async (): Promise<FoundConfig['speakers'] | undefined> => {
    await this.ready;
    return this.found?.speakers;
  };

  /** A secret of the provider that `config.yaml` names; undefined where it names none. Rejects as the provider does. */
  readonly provided = async (name: string): Promise<string | undefined> => {
    await this.ready;
    return this.found?.file.provided?.get(name);
  };

  /** `environment`, and after it the keys of these files. */
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
    // Most people have none of these.
    const isSaid = Object.keys(this.parts.env).some((name) => /^(?:COYOTE|CAIRN)_(?!CONFIG_DIR$|VAULT_)/.test(name));
    if (this.found ?? (isSaid || ['config.yaml', '.env'].some(isThere)))
      this.found = await (await import('./readEditorConfig')).readEditorConfig(this.parts);
    this.changes.fire();
  }
}
