import * as vscode from 'vscode';
import { type EngineSettings, engineSettingsSchema, type Log } from '../../engine';
import { SETTINGS } from '../contributionPoints';

/** What the environment says about addresses; the editor's settings come before it. */
export interface EnvironmentSettings {
  openaiBaseUrl: string | undefined;
  anthropicBaseUrl: string | undefined;
}

/** `cairn.*` as the engine wants it. A value that does not fit is named in the log and its default used. */
export function readSettings(environment: EnvironmentSettings, log: Log): EngineSettings {
  const configuration = vscode.workspace.getConfiguration('cairn');
  const text = (name: string) => configuration.get<unknown>(name) || undefined;
  const raw = {
    model: text(SETTINGS.model),
    approvalMode: text(SETTINGS.approvalMode),
    openai: { baseUrl: text(SETTINGS.openaiBaseUrl) ?? environment.openaiBaseUrl },
    anthropic: { baseUrl: text(SETTINGS.anthropicBaseUrl) ?? environment.anthropicBaseUrl },
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
