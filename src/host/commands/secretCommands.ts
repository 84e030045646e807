import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import {
  EngineError,
  isSecretName,
  isStruckOut,
  type LlmFailure,
  MAX_SECRET_NAME,
  nameOfStored,
  PROVIDER_KEYS,
  storedName,
} from '../../engine';
import type { Command, Host } from '../host';
import { askSecret, askText } from '../shown/askText';
import { askInDialog, notify, withCancel } from '../shown/notify';
import { pickRow } from '../shown/pickList';
import { KEY_PAGES } from './keyPages';

type Secrets = Host['secrets'];

/** Saves a new secret in the editor's secret storage. A name given as argument is prefilled. */
export function addSecret({ secrets }: Host): Command {
  return { run: (argument) => add(secrets, typeof argument === 'string' ? argument : undefined) };
}

/** Lists the names of the user's secrets, then the actions for the chosen one. */
export function manageSecrets({ secrets }: Host): Command {
  return {
    async run() {
      const rows = (await namesOf(secrets)).map((name) => ({
        icon: 'key',
        label: name,
        description: useOf(name),
        name,
      }));
      const picked = await pickRow([...rows, { icon: 'add', label: t('Add Secret…') }], {
        title: t('Secrets'),
        placeHolder: rows.length > 0 ? t('Select a secret to copy, update, or delete') : t('No secrets yet'),
        matchOnDescription: true,
      });
      if (!picked) return;
      if ('name' in picked) await actOn(secrets, picked.name);
      else await add(secrets);
    },
  };
}

const ACTIONS = [
  {
    icon: 'copy',
    get label() {
      return t('Copy Value');
    },
    act: copy,
  },
  {
    icon: 'edit',
    get label() {
      return t('Update Value…');
    },
    act: update,
  },
  {
    icon: 'trash',
    get label() {
      return t('Delete…');
    },
    act: forget,
  },
];

async function actOn(secrets: Secrets, name: string): Promise<void> {
  const action = await pickRow(ACTIONS, { title: name, placeHolder: t('Select an action for this secret') });
  await action?.act(secrets, name);
}

async function add(secrets: Secrets, wished?: string): Promise<void> {
  const taken = await namesOf(secrets);
  const typed = await askText({
    title: t('Add Secret'),
    prompt: t('A name, for example DEPLOY_TOKEN'),
    ...(wished !== undefined && { value: wished }),
    validateInput: (text) => problemOf(text.trim(), taken),
    ignoreFocusOut: true,
  });
  if (typed === undefined) return;
  const name = typed.trim();
  const value = await askForValue(name);
  if (value === undefined) return;
  // Another window may have saved it first.
  if ((await namesOf(secrets)).includes(name)) throw new EngineError('exists', existing(name));
  await secrets.set(storedName(name), value);
  void notify('info', t('Secret {0} saved.', name));
}

async function copy(secrets: Secrets, name: string): Promise<void> {
  await vscode.env.clipboard.writeText(await valueOf(secrets, name));
  void notify('info', t('The value of {0} is on the clipboard.', name));
}

async function update(secrets: Secrets, name: string): Promise<void> {
  const value = await askForValue(name);
  if (value === undefined) return;
  await valueOf(secrets, name);
  await secrets.set(storedName(name), value);
  void notify('info', t('Secret {0} updated.', name));
}

async function forget(secrets: Secrets, name: string): Promise<void> {
  const question = t('Delete the secret {0}?', name);
  const detail = t('Its value cannot be recovered. Anything that needs it stops working until you add it again.');
  if ((await askInDialog({ question, detail }, { title: t('Delete'), means: 'delete' })) === undefined) return;
  await secrets.set(storedName(name), '');
  void notify('info', t('Secret {0} deleted.', name));
}

function askForValue(name: string): Thenable<string | undefined> {
  return askText({
    title: t('Value of {0}', name),
    prompt: t('Stored in the secret storage of the editor'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => {
      if (value === '') return t('Enter the value.');
      if (isStruckOut(value)) return undefined;
      const message = t(
        'It is too short to tell apart from ordinary text, so it is not hidden from agents that come across it.',
      );
      return { message, severity: vscode.InputBoxValidationSeverity.Warning };
    },
  });
}

function problemOf(name: string, taken: readonly string[]): string | undefined {
  if (!isSecretName(name)) return t('A name is one line of up to {0} characters, without braces.', MAX_SECRET_NAME);
  return taken.includes(name) ? existing(name) : undefined;
}

function existing(name: string): string {
  return t('A secret named {0} already exists. Run “Cairn: Manage Secrets…” to update it.', name);
}

/** Throws EngineError `not-found` if another window has deleted it. */
async function valueOf(secrets: Secrets, name: string): Promise<string> {
  const value = await secrets.kept(storedName(name));
  if (value !== undefined) return value;
  throw new EngineError('not-found', t('The secret {0} no longer exists: it was deleted in another window.', name));
}

async function namesOf(secrets: Secrets): Promise<string[]> {
  return (await secrets.names()).flatMap((stored) => nameOfStored(stored) ?? []).sort();
}

function useOf(name: string): string {
  const provider = PROVIDER_KEYS.find(({ keyVariable }) => keyVariable === name);
  return provider ? t('used as the API key for {0}', provider.label) : '';
}

const PROVIDERS = PROVIDER_KEYS.map(({ id, label, needed }) => ({
  id,
  label,
  description: needed ? '' : t('works without a key too'),
}));
type ProviderItem = (typeof PROVIDERS)[number];

const TRY_MS = 30_000;

/** Asks for a key, tests it, and stores it in the editor's secret storage and nowhere else. */
export function setApiKey(host: Host): Command {
  return {
    async run(argument) {
      const wished = typeof argument === 'string' ? argument.split(':', 1)[0] : undefined;
      const provider = PROVIDERS.find(({ id }) => id === wished) ?? (await askForProvider(host.secrets));
      if (!provider) host.panels.backToPanel();
      while (provider && (await askAndTry(host, provider))) {
        // Ask for another key.
      }
    },
  };
}

async function askForProvider(secrets: Secrets): Promise<ProviderItem | undefined> {
  const kept = await Promise.all(PROVIDERS.map((one) => secrets.kept(storedKey(one))));
  const rows = PROVIDERS.map((one, at) => (kept[at] === undefined ? one : { ...one, description: t('key saved') }));
  return pickRow(rows, { title: t('Which provider?') });
}

/** The name under which a provider's key is stored. */
function storedKey({ id }: ProviderItem): string {
  return `apiKey.${id}`;
}

/** Returns true if the provider refused the key and the user wants to try another. */
async function askAndTry({ engine, secrets, chats, panels }: Host, provider: ProviderItem): Promise<boolean> {
  const key = await askForKey(provider);
  // Not after the test, during which the user may turn to something else.
  panels.backToPanel();
  if (key === undefined) return false;
  const name = storedKey(provider);
  const before = (await secrets.kept(name)) ?? '';
  await secrets.set(name, key);
  const refusal = key === '' ? undefined : await refusalOf(engine, provider);
  if (refusal !== undefined) await secrets.set(name, before);
  if (refusal === undefined) {
    if (key === '') void notify('info', t('{0} API key removed.', provider.label));
    await chats.defaultModelChanged();
    return false;
  }
  const choice = await notify(
    'error',
    t('API key not saved. {0}', refusal),
    { title: t('Try Another Key'), means: 'again' },
    { title: t('Save Anyway'), means: 'save' },
  );
  if (choice === 'save') {
    await secrets.set(name, key);
    await chats.defaultModelChanged();
  }
  return choice === 'again';
}

async function askForKey({ id, label }: ProviderItem): Promise<string | undefined> {
  const address = KEY_PAGES.get(id);
  const key = await askSecret(
    t('{0} API key', label),
    address === undefined
      ? t('The key is stored in the secret storage of the editor. Leave empty to remove it.')
      : t(
          'Get a key at {0}. The key is stored in the secret storage of the editor. Leave empty to remove it.',
          address.replace('https://', ''),
        ),
    address === undefined ? undefined : { address, tooltip: t('Open the page for {0} keys', label) },
  );
  return key?.trim();
}

/** The provider's reason for refusing the key; undefined if it accepts the key or if that cannot be determined. */
async function refusalOf(engine: Host['engine'], { id, label }: ProviderItem): Promise<string | undefined> {
  const found = await withCancel(t('Testing the {0} API key…', label), (signal) =>
    engine.tryProvider(id, AbortSignal.any([signal, AbortSignal.timeout(TRY_MS)])),
  );
  const failure = typeof found === 'object' ? found : undefined;
  if (failure && isAboutKey(failure)) return failure.message;
  if (found === 'works') {
    void notify('info', t('Key works. {0} API key saved.', label));
  } else if (failure) {
    void notify('warning', t('{0} API key saved, but it could not be tested. {1}', label, failure.message));
  } else {
    void notify('warning', t('{0} API key saved, but it could not be tested.', label));
  }
  return undefined;
}

function isAboutKey({ reason }: LlmFailure): boolean {
  return reason === 'auth' || reason === 'no-key';
}
