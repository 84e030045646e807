import * as vscode from 'vscode';
import { type EngineSettings, engineSettingsSchema, type Log } from '../../engine';
import type { EnvironmentAddresses } from '../../node/environmentAddresses';
import { SETTINGS } from '../contributionPoints';

/** `cairn.*` as the engine wants it, before `environment`. A value that does not fit is named in the log and its default used. */
export function readSettings(environment: EnvironmentAddresses, log: Log): EngineSettings {
  const configuration = vscode.workspace.getConfiguration('cairn');
  const value = (name: string) => configuration.get<unknown>(name) || undefined;
  const raw = {
    model: value(SETTINGS.model),
    approvalMode: value(SETTINGS.approvalMode),
    openai: { baseUrl: value(SETTINGS.openaiBaseUrl) ?? environment.openai, api: value(SETTINGS.openaiApi) },
    anthropic: { baseUrl: value(SETTINGS.anthropicBaseUrl) ?? environment.anthropic },
    ollama: { baseUrl: value(SETTINGS.ollamaBaseUrl) ?? environment.ollama },
    custom: { baseUrl: value(SETTINGS.customBaseUrl) ?? environment.custom },
    providers: { baseUrls: { ...environment.others, ...configuration.get<object>(SETTINGS.providerBaseUrls) } },
    models: value(SETTINGS.models),
  };
  const parsed = engineSettingsSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) {
    log.warn(`Setting cairn.${path.join('.')}: ${message}. Its default is used until it is corrected.`);
  }
  const broken = new Set(parsed.error.issues.map(({ path }) => path[0]));
  const kept = Object.fromEntries(Object.entries(raw).filter(([name]) => !broken.has(name)));
  return engineSettingsSchema.parse(kept);
}

export function opensDiffByItself(): boolean {
  return vscode.workspace.getConfiguration('cairn').get(SETTINGS.openDiff) === 'always';
}
