import * as vscode from 'vscode';
import type { EnvironmentAddresses } from '../../node/environmentAddresses';
import { SETTINGS } from '../contributionPoints';
import { type CheckedSettings, checkSettings } from './checkSettings';

/** `cairn.*` as the engine wants it, before `environment`. */
export function readSettings(environment: EnvironmentAddresses): CheckedSettings {
  const configuration = vscode.workspace.getConfiguration('cairn');
  const value = (name: string) => configuration.get<unknown>(name) || undefined;
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
      enabled: configuration.get<unknown>(SETTINGS.skillsEnabled),
      visible: value(SETTINGS.skillsVisible),
      byDefault: value(SETTINGS.skillsByDefault),
    },
    autoContinue: value(SETTINGS.autoContinue),
    autoContinueLimit: value(SETTINGS.autoContinueLimit),
    limits: value(SETTINGS.limits),
    reasoningEffort: effort(value(SETTINGS.reasoningEffort)),
    idleTimeout: value(SETTINGS.idleTimeout),
  });
}

/** The choice that leaves it to the model is none. */
function effort(chosen: unknown): unknown {
  return chosen === 'default' ? undefined : chosen;
}

export function opensDiffByItself(): boolean {
  return vscode.workspace.getConfiguration('cairn').get(SETTINGS.openDiff) === 'always';
}
