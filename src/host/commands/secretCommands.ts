import * as vscode from 'vscode';
import { t } from '../../base/l10n';
import {
  EngineError,
  isSecretName,
  isStruckOut,
  nameOfStored,
  PROVIDER_KEYS,
  MAX_SECRET_NAME,
  storedName,
} from '../../engine';
import type { Command, Host } from '../host';
import { askInDialog } from '../shown/askInDialog';
import { askText } from '../shown/askText';
import { notify } from '../shown/notify';
import { pickRow } from '../shown/pickList';

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
