import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable';
import { t } from '../base/l10n';
import type { EngineSettings, Log } from '../engine';
import type { EnvironmentAddresses } from '../node/environmentSettings';
import { type CheckedSettings, checkSettings } from './checkSettings';
import type { EditorConfig } from './config/editorConfig';
import { FILE_INSTRUCTIONS, FILE_SAMPLING, FILE_SERVERS, FILE_TOOLS, SETTINGS } from './contributionPoints';
import { notify } from './shown/notify';

/**
 * Reads `cairn.*` in the form that the engine expects, taking precedence over `environment`. `file` is used for settings that are
 * not set.
 */
function readSettings(
  environment: EnvironmentAddresses,
  file: Readonly<Record<string, unknown>> = {},
): CheckedSettings {
  const configuration = vscode.workspace.getConfiguration('cairn');
  const fallback = (name: string) => (isSet(configuration, name) ? undefined : file[name]);
  const value = (name: string) => fallback(name) ?? (configuration.get<unknown>(name) || undefined);
  const baseUrls = value(SETTINGS.providerBaseUrls) ?? {};
  return checkSettings({
    model: value(SETTINGS.model),
    approvalMode: value(SETTINGS.approvalMode),
    openai: { baseUrl: value(SETTINGS.openaiBaseUrl) ?? environment.openai, api: value(SETTINGS.openaiApi) },
    anthropic: { baseUrl: value(SETTINGS.anthropicBaseUrl) ?? environment.anthropic },
    ollama: { baseUrl: value(SETTINGS.ollamaBaseUrl) ?? environment.ollama },
    custom: { baseUrl: value(SETTINGS.customBaseUrl) ?? environment.custom },
    providers: { baseUrls: typeof baseUrls === 'object' ? { ...environment.others, ...baseUrls } : baseUrls },
    models: value(SETTINGS.models),
    skills: {
      enabled: fallback(SETTINGS.skillsEnabled) ?? configuration.get<unknown>(SETTINGS.skillsEnabled),
      visible: value(SETTINGS.skillsVisible),
      byDefault: value(SETTINGS.skillsByDefault),
    },
    autoContinue: value(SETTINGS.autoContinue),
    autoContinueLimit: value(SETTINGS.autoContinueLimit),
    limits: both(file[SETTINGS.limits], configuration.get<unknown>(SETTINGS.limits) || undefined),
    reasoningEffort: effort(value(SETTINGS.reasoningEffort)),
    idleTimeout: value(SETTINGS.idleTimeout),
    tools: file[FILE_TOOLS],
    instructions: file[FILE_INSTRUCTIONS],
    servers: file[FILE_SERVERS],
    ...Object.fromEntries(FILE_SAMPLING.map((name) => [name, file[name]])),
  });
}

/** Whether a setting is set. An empty string and null count as not set. */
function isSet(configuration: vscode.WorkspaceConfiguration, name: string): boolean {
  const found = configuration.inspect<unknown>(name);
  return (found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue ?? '') !== '';
}

/** Merges limits individually, as the editor does between its scopes. */
function both(file: unknown, own: unknown): unknown {
  return typeof file === 'object' && typeof own === 'object' ? { ...file, ...own } : (own ?? file);
}

/** 'default' leaves the choice to the model, so it counts as not set. */
function effort(chosen: unknown): unknown {
  return chosen === 'default' ? undefined : chosen;
}

export function opensDiffByItself(): boolean {
  return vscode.workspace.getConfiguration('cairn').get(SETTINGS.openDiff) === 'always';
}

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
