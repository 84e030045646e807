import { join } from 'node:path';
import * as vscode from 'vscode';
import { errorText } from '../../base/errors';
import { t } from '../../base/l10n';
import { type Log, PROVIDER_KEYS, type SecretStore, type SecretValues } from '../../engine';
import type { FileConfig } from '../../node/config/configSchema';
import { loadConfig, NO_CONFIG } from '../../node/config/loadConfig';
import { type EnvironmentAddresses, environmentAddresses } from '../../node/environmentSettings';
import { environmentSecrets } from '../../node/nodePorts';
import { ownEnvironment } from '../../node/ownEnvironment';
import { FILE_INSTRUCTIONS, FILE_SAMPLING, FILE_SERVERS, FILE_TOOLS, SETTINGS } from '../contributionPoints';
import { notify } from '../shown/notify';

/** The same mapping as on the command line. `none` maps to no mode, because in the editor the user can be asked. */
const MODES = { ask: 'edits-and-commands', edits: 'commands', all: 'nothing', none: undefined } as const;

/** Reads the configuration files. An unreadable file is ignored and reported to the user. */
export async function readEditorConfig(parts: EditorConfigParts): Promise<FoundConfig> {
  const broken: string[] = [];
  const env = readEnvironment(parts, broken);
  const file = await readFile(parts, env, broken);
  for (const line of file.warnings) parts.log.warn(line);
  // Empty variables count as not set.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value));
  const all = { ...file.variables, ...set };
  const addresses = environmentAddresses(all);
  const { agent = null, role = null } = file.values;
  const speakers = { agent, role };
  return { file, broken, speakers, addresses, settings: settingsOf(file, all), keys: keysOf(file, env) };
}

function readEnvironment({ configFolder, env, log }: EditorConfigParts, broken: string[]): NodeJS.ProcessEnv {
  try {
    return ownEnvironment(env, configFolder);
  } catch (error) {
    broken.push(errorText(error));
    tell(log, error, join(configFolder, '.env'));
    return env;
  }
}

async function readFile(
  { configFolder, secrets, log }: EditorConfigParts,
  env: NodeJS.ProcessEnv,
  broken: string[],
): Promise<FileConfig> {
  const howToAdd = () => t('The command “Cairn: Add Secret…”');
  try {
    return await loadConfig(configFolder, env, { get: (name) => secrets.get(name), howToAdd });
  } catch (error) {
    broken.push(errorText(error));
    tell(log, error, join(configFolder, 'config.yaml'));
    return NO_CONFIG;
  }
}

function tell(log: Log, error: unknown, path: string): void {
  log.error('A configuration file is ignored until it is corrected', error);
  const [first = ''] = errorText(error).split('\n', 1);
  notify('warning', t('Cairn: {0}', first), { title: t('Open File'), means: 'open' }).then(
    (choice) => (choice === undefined ? undefined : vscode.window.showTextDocument(vscode.Uri.file(path))),
    (failed: unknown) => log.error('The file could not be shown', failed),
  );
}

/** The configured values, keyed and typed like the editor's settings. */
function settingsOf({ values, settings }: FileConfig, env: NodeJS.ProcessEnv): FoundConfig['settings'] {
  const skills = partsOf(settings['skills']);
  return {
    [SETTINGS.model]: env['CAIRN_MODEL'],
    [SETTINGS.reasoningEffort]: env['CAIRN_REASONING_EFFORT'],
    [SETTINGS.idleTimeout]: env['CAIRN_IDLE_TIMEOUT'] && Number(env['CAIRN_IDLE_TIMEOUT']),
    [SETTINGS.approvalMode]: values.approve && MODES[values.approve],
    [SETTINGS.limits]: settings['limits'],
    [SETTINGS.autoContinue]: settings['autoContinue'],
    [SETTINGS.autoContinueLimit]: settings['autoContinueLimit'],
    [SETTINGS.skillsEnabled]: skills['enabled'],
    [SETTINGS.skillsVisible]: skills['visible'],
    [SETTINGS.skillsByDefault]: skills['byDefault'],
    [FILE_TOOLS]: settings['tools'],
    [FILE_INSTRUCTIONS]: settings['instructions'],
    [FILE_SERVERS]: settings['servers'],
    ...Object.fromEntries(FILE_SAMPLING.map((name) => [name, settings[name]])),
  };
}

function partsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

/** Keys from the environment including `.env`, then those in `config.yaml`. */
function keysOf({ keys }: FileConfig, env: NodeJS.ProcessEnv): SecretStore {
  const environment = environmentSecrets(env);
  const variables = new Map(PROVIDER_KEYS.map(({ id, keyVariable }) => [`apiKey.${id}`, keyVariable]));
  return {
    get: async (name) => (await environment.get(name)) ?? keys.get(variables.get(name) ?? ''),
    hidden: () => [...(environment.hidden?.() ?? []), ...keys.values()],
  };
}

/** The editor's view of the user's configuration files. */
export interface FoundConfig {
  file: FileConfig;
  /** Maps a setting name below `cairn.` to the value used if the setting is not set. */
  settings: Readonly<Record<string, unknown>>;
  addresses: EnvironmentAddresses;
  /** Agent and role for new sessions. */
  speakers: { agent: string | null; role: string | null };
  /** Why files are ignored, one message each. */
  broken: readonly string[];
  /** API keys of providers. */
  keys: SecretStore;
}

export interface EditorConfigParts {
  /** Cairn's configuration folder, absolute. */
  configFolder: string;
  env: NodeJS.ProcessEnv;
  /** The editor's secrets. */
  secrets: SecretValues;
  log: Log;
}
