import * as vscode from 'vscode';
import type { EnvironmentAddresses } from '../../node/environmentSettings';
import { FILE_INSTRUCTIONS, FILE_TOOLS, SETTINGS } from '../contributionPoints';
import { type CheckedSettings, checkSettings } from './checkSettings';

/** `cairn.*` as the engine wants it, before `environment`; `file` counts where nobody set a setting. */
export function readSettings(
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
  });
}

/** Nothing, an empty text and null choose nothing. */
export function isSet(configuration: vscode.WorkspaceConfiguration, name: string): boolean {
  const found = configuration.inspect<unknown>(name);
  return (found?.workspaceFolderValue ?? found?.workspaceValue ?? found?.globalValue ?? '') !== '';
}

/** Each limit by itself, as the editor does it between its own scopes. */
function both(file: unknown, own: unknown): unknown {
  return typeof file === 'object' && typeof own === 'object' ? { ...file, ...own } : (own ?? file);
}

/** The choice that leaves it to the model is none. */
function effort(chosen: unknown): unknown {
  return chosen === 'default' ? undefined : chosen;
}

export function opensDiffByItself(): boolean {
  return vscode.workspace.getConfiguration('cairn').get(SETTINGS.openDiff) === 'always';
}
