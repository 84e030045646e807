import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import type { EngineSettings, Log } from '../../engine';
import type { EnvironmentAddresses } from '../../node/environmentAddresses';
import { notify } from '../shown/notify';
import { readSettings } from './readSettings';

/** The settings as they are now. What does not fit is told to the person once, with a way to the settings. */
export class LiveSettings implements Disposable {
  private current: EngineSettings | undefined;
  private told = '';
  private readonly listening: Disposable;

  constructor(
    private readonly environment: EnvironmentAddresses,
    private readonly log: Log,
  ) {
    this.listening = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('cairn')) this.current = undefined;
    });
  }

  get(): EngineSettings {
    this.current ??= this.read();
    return this.current;
  }

  dispose(): void {
    this.listening.dispose();
  }

  private read(): EngineSettings {
    const { settings, problems } = readSettings(this.environment);
    const text = problems.join('\n');
    if (text !== this.told) void this.tell(problems);
    this.told = text;
    return settings;
  }

  private async tell(problems: readonly string[]): Promise<void> {
    const [first, ...others] = problems;
    if (first === undefined) return;
    for (const problem of problems) this.log.warn(problem);
    const more = others.length === 0 ? '' : ` ${others.length} more in the log.`;
    const choice = await notify('warning', `Cairn: ${first}${more}`, 'Open settings');
    if (choice) await vscode.commands.executeCommand('workbench.action.openSettingsJson');
  }
}
