import * as vscode from 'vscode';
import type { EnvironmentAddresses } from '../../node/environmentSettings';
import { FILE_INSTRUCTIONS, FILE_TOOLS, SETTINGS } from '../contributionPoints';
import { type CheckedSettings, checkSettings } from './checkSettings';

/**
 * Reads `cairn.*` in the form that the engine expects, taking precedence over `environment`. `file` is used for settings that are
 * not set.
 */
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

/** Whether a setting is set. An empty string and null count as not set. */
export function isSet(configuration: vscode.WorkspaceConfiguration, name: string): boolean {
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
