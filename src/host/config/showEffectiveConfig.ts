import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import { safeLine } from '../../base/shown/safeText';
import { engineSettingsSchema, nameOfStored, PROVIDER_KEYS } from '../../engine';
import type { ConfigLayer, SaidValue } from '../../node/config/configSchema';
import {
  addressVariable,
  defaultLayer,
  type EffectiveValue,
  effectiveValues,
  environmentLayer,
  placed,
  SET,
  shown,
} from '../../node/config/effectiveConfig';
import { NO_CONFIG } from '../../node/config/loadConfig';
import { ownEnvironment } from '../../node/ownEnvironment';
import { SETTINGS } from '../contributionPoints';
import type { Command, Host } from '../host';

const SCHEME = 'cairn-config';
const PAGE = vscode.Uri.from({ scheme: SCHEME, path: '/Effective configuration.md' });

/** Shows the effective values, where each comes from, and what it overrides, in a document that updates with changes. */
export function showEffectiveConfig(host: Host): Command {
  return {
    async run() {
      const changed = follow(host);
      // Read again for folders that the editor cannot watch.
      host.config.readAgain();
      await host.config.ready;
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(PAGE), { preview: true });
      // The editor ignores change events while it is opening a document.
      changed.fire(PAGE);
    },
  };
}

const followed = new WeakMap<Host['config'], vscode.EventEmitter<vscode.Uri>>();

/** Registers the page on first use. Firing the returned emitter refreshes the page. */
function follow({ config, secrets }: Host): vscode.EventEmitter<vscode.Uri> {
  const known = followed.get(config);
  if (known) return known;
  const changes = new vscode.EventEmitter<vscode.Uri>();
  followed.set(config, changes);
  const provideTextDocumentContent = () => pageText({ config, secrets });
  const provider = { onDidChange: changes.event, provideTextDocumentContent };
  const changed = () => changes.fire(PAGE);
  for (const item of [
    changes,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, provider),
    vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('cairn') && changed()),
    config.onChange(changed),
    secrets.onChange(changed),
  ])
    config.disposables.add(item);
  return changes;
}

type Parts = Pick<Host, 'config' | 'secrets'>;

async function pageText({ config, secrets }: Parts): Promise<string> {
  const { configFolder, env } = config.parts;
  const found = config.found?.file ?? NO_CONFIG;
  const broken = config.found?.broken ?? [];
  const own = broken.length > 0 ? env : ownEnvironment(env, configFolder);
  const placeOf = (variable: string) =>
    env[variable] === undefined ? `\`${variable}\` in \`.env\`` : t('environment variable `{0}`', variable);
  const values = effectiveValues([
    ...settingLayers(),
    await secretLayer(secrets),
    environmentLayer(own, placeOf),
    inEditor(placed(found.byVariables, placeOf)),
    inEditor(found.byFile),
    defaultsHere(),
  ]);
  const isKey = ({ value }: EffectiveValue) => value === SET;
  const notes = [...found.warnings, ...found.notes, ...unheard(found.values)];
  return [
    `# ${t('Effective configuration')}`,
    t(
      'The values in effect in this window. Editor settings come before the environment, then `.env`, then `config.yaml`. What is chosen for a session, its agent, or its role comes before all of them.',
    ),
    fileLines(configFolder),
    ...(broken.length > 0 ? [`## ${t('Cannot be read')}`, listed(broken)] : []),
    `## ${t('Values')}`,
    rows(values.filter((one) => !isKey(one))),
    `## ${t('Keys')}`,
    rows(values.filter(isKey)),
    `## ${t('Not in effect')}`,
    listed(notes) || t('None.'),
    '',
  ].join('\n\n');
}

function fileLines(configFolder: string): string {
  const lines = ['config.yaml', '.env'].map((name) => {
    const path = join(configFolder, name);
    const link = `[${name}](${vscode.Uri.file(path).toString()})`;
    return `- ${existsSync(path) ? link : t('{0}: not found', link)}`;
  });
  return lines.join('\n');
}

/** Maps names in `config.yaml` to the editor's settings. */
const OF_SETTING: readonly (readonly [name: string, setting: string])[] = [
  ['model', SETTINGS.model],
  ['approve', SETTINGS.approvalMode],
  ['reasoning_effort', SETTINGS.reasoningEffort],
  ['idle_timeout', SETTINGS.idleTimeout],
  ['auto_continue', SETTINGS.autoContinue],
  ['max_auto_continues', SETTINGS.autoContinueLimit],
  ['skills_enabled', SETTINGS.skillsEnabled],
  ['enabled_skills', SETTINGS.skillsByDefault],
  ['visible_skills', SETTINGS.skillsVisible],
  ['OPENAI_BASE_URL', SETTINGS.openaiBaseUrl],
  ['ANTHROPIC_BASE_URL', SETTINGS.anthropicBaseUrl],
  ['OLLAMA_HOST', SETTINGS.ollamaBaseUrl],
  ['CUSTOM_BASE_URL', SETTINGS.customBaseUrl],
];

const OF_LIMIT = [
  ['limits.turns', 'turns'],
  ['limits.tokens', 'tokens'],
  ['limits.minutes', 'minutes'],
  ['limits.cost_usd', 'costUsd'],
] as const;

/** The settings of each scope, innermost first. */
function settingLayers(): ConfigLayer[] {
  const configuration = vscode.workspace.getConfiguration('cairn');
  const scopes = [
    ['workspaceFolderValue', t('folder setting')],
    ['workspaceValue', t('workspace setting')],
    ['globalValue', t('user setting')],
  ] as const;
  return scopes.map(([scope, label]) => {
    const layer = new Map<string, SaidValue>();
    const add = (name: string, value: unknown, setting: string) => {
      if ((value ?? '') !== '') layer.set(name, { value: shown(value), from: `${label} \`cairn.${setting}\`` });
    };
    const valueOf = (setting: string): unknown => configuration.inspect<unknown>(setting)?.[scope];
    for (const [name, setting] of OF_SETTING) add(name, valueOf(setting), setting);
    const limits = partsOf(valueOf(SETTINGS.limits));
    for (const [name, key] of OF_LIMIT) add(name, limits.get(key), SETTINGS.limits);
    for (const [id, url] of partsOf(valueOf(SETTINGS.providerBaseUrls)))
      add(addressVariable(id), url, SETTINGS.providerBaseUrls);
    return layer;
  });
}

function partsOf(value: unknown): Map<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** Keys stored by the editor, under their own names and under their variables' names. */
async function secretLayer(secrets: Parts['secrets']): Promise<ConfigLayer> {
  const named = new Set((await secrets.names()).map((stored) => nameOfStored(stored)));
  const layer = new Map<string, SaidValue>();
  for (const { id, keyVariable } of PROVIDER_KEYS) {
    if (named.has(keyVariable) || (await secrets.kept(`apiKey.${id}`)) !== undefined)
      layer.set(keyVariable, { value: SET, from: t('secret storage of the editor') });
  }
  return layer;
}

/** Without values that only the command line uses. */
function inEditor(layer: ConfigLayer): ConfigLayer {
  const heard = new Map(layer);
  heard.delete('session');
  heard.delete('session_role');
  if (layer.get('approve')?.value === 'none') heard.delete('approve');
  return heard;
}

function unheard({ session, approve }: (typeof NO_CONFIG)['values']): string[] {
  return [
    ...(session === undefined ? [] : [t('The session in “cmd_prelude” applies only to the command line.')]),
    ...(approve === 'none' ? [t('“approve: none” applies only to the command line: here, Cairn asks you.')] : []),
  ];
}

function defaultsHere(): ConfigLayer {
  const { approvalMode } = engineSettingsSchema().parse({});
  return new Map([['approve', { value: approvalMode, from: 'default' }], ...defaultLayer()]);
}

function rows(values: readonly EffectiveValue[]): string {
  if (values.length === 0) return t('None.');
  return listed(
    values.map(({ name, value, from, overrides }) => {
      const others = overrides.map((one) => `${one.value} (${one.from})`).join(', ');
      const row = `\`${name}\`: ${value} (${from})`;
      return others === '' ? row : t('{0}; overrides {1}', row, others);
    }),
  );
}

function listed(lines: readonly string[]): string {
  return lines.map((line) => `- ${safeLine(line, 1000, 'exact')}`).join('\n');
}
