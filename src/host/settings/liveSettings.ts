import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { t } from '../../base/l10n';
import type { EngineSettings, Log } from '../../engine';
import type { EnvironmentAddresses } from '../../node/environmentSettings';
import { notify } from '../shown/notify';
import type { EditorConfig } from '../config/editorConfig';
import { readSettings } from './readSettings';

/** The current settings. Invalid values are reported to the user once, with a link to the settings. */
export class LiveSettings implements Disposable {
  private current: EngineSettings | undefined;
  private told = '';
  private readonly listening: Disposable;

  constructor(
    private readonly environment: EnvironmentAddresses,
    private readonly log: Log,
    private readonly config: EditorConfig,
  ) {
    const again = () => (this.current = undefined);
    this.listening = vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('cairn')) again();
    });
    config.onChange(again);
  }

  get(): EngineSettings {
    this.current ??= this.read();
    return this.current;
  }

  dispose(): void {
    this.listening.dispose();
  }

  private read(): EngineSettings {
    const { found } = this.config;
    const { settings, problems } = readSettings(found?.addresses ?? this.environment, found?.settings);
    const text = problems.join('\n');
    if (text !== this.told) void this.tell(problems);
    this.told = text;
    return settings;
  }

  private async tell(problems: readonly string[]): Promise<void> {
    const [first, ...others] = problems;
    if (first === undefined) return;
    for (const problem of problems) this.log.warn(problem);
    const choice = await notify('warning', wordsOf(first, others.length), {
      title: t('Open Settings'),
      means: 'open',
    });
    if (choice) await vscode.commands.executeCommand('workbench.action.openSettingsJson');
  }
}

function wordsOf(problem: string, others: number): string {
  if (others === 0) return t('Cairn: {0}', problem);
  return others === 1
    ? t('Cairn: {0} (1 more in the log)', problem)
    : t('Cairn: {0} ({1} more in the log)', problem, others);
}
