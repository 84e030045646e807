import * as vscode from 'vscode';
import {
  EngineError,
  isSecretName,
  isStruckOut,
  nameOfStored,
  PROVIDER_KEYS,
  SECRET_NAME_RULE,
  storedName,
} from '../../engine';
import type { Command, Host } from '../host';
import { askInDialog } from '../shown/askInDialog';
import { askText } from '../shown/askText';
import { notify } from '../shown/notify';
import { pickRow } from '../shown/pickList';

type Secrets = Host['secrets'];

/** Keeps a new secret in the editor's secret storage; a name that is given stands in the box. */
export function addSecret({ secrets }: Host): Command {
  return { run: (argument) => add(secrets, typeof argument === 'string' ? argument : undefined) };
}

/** Lists the names of the person's secrets; what can be done with one is chosen next. */
export function manageSecrets({ secrets }: Host): Command {
  return {
    async run() {
      const rows = (await namesOf(secrets)).map((name) => ({
        icon: 'key',
        label: name,
        description: useOf(name),
        name,
      }));
      const picked = await pickRow([...rows, { icon: 'add', label: 'Add Secret…' }], {
        title: 'Secrets',
        placeHolder: rows.length > 0 ? 'Select a secret to copy, update, or delete' : 'No secrets yet',
        matchOnDescription: true,
      });
      if (!picked) return;
      if ('name' in picked) await actOn(secrets, picked.name);
      else await add(secrets);
    },
  };
}

const DELETE = 'Delete';

const ACTIONS = [
  { icon: 'copy', label: 'Copy Value', act: copy },
  { icon: 'edit', label: 'Update Value…', act: update },
  { icon: 'trash', label: 'Delete…', act: forget },
];

async function actOn(secrets: Secrets, name: string): Promise<void> {
  const action = await pickRow(ACTIONS, { title: name, placeHolder: 'Select an action for this secret' });
  await action?.act(secrets, name);
}

async function add(secrets: Secrets, wished?: string): Promise<void> {
  const taken = await namesOf(secrets);
  const typed = await askText({
    title: 'Add Secret',
    prompt: 'A name, for example DEPLOY_TOKEN',
    ...(wished !== undefined && { value: wished }),
    validateInput: (text) => problemOf(text.trim(), taken),
    ignoreFocusOut: true,
  });
  if (typed === undefined) return;
  const name = typed.trim();
  const value = await askForValue(name);
  if (value === undefined) return;
  // Another window may have been faster.
  if ((await namesOf(secrets)).includes(name)) throw new EngineError('exists', existing(name));
  await secrets.set(storedName(name), value);
  void notify('info', `Secret ${name} saved.`);
}

async function copy(secrets: Secrets, name: string): Promise<void> {
  await vscode.env.clipboard.writeText(await valueOf(secrets, name));
  void notify('info', `The value of ${name} is on the clipboard.`);
}

async function update(secrets: Secrets, name: string): Promise<void> {
  const value = await askForValue(name);
  if (value === undefined) return;
  await valueOf(secrets, name);
  await secrets.set(storedName(name), value);
  void notify('info', `Secret ${name} updated.`);
}

async function forget(secrets: Secrets, name: string): Promise<void> {
  const question = `Delete the secret ${name}?`;
  const detail = 'Its value cannot be recovered. Anything that needs it stops working until you add it again.';
  if ((await askInDialog({ question, detail }, DELETE)) !== DELETE) return;
  await secrets.set(storedName(name), '');
  void notify('info', `Secret ${name} deleted.`);
}

function askForValue(name: string): Thenable<string | undefined> {
  return askText({
    title: `Value of ${name}`,
    prompt: 'Stored in the secret storage of the editor',
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => {
      if (value === '') return 'Enter the value.';
      if (isStruckOut(value)) return undefined;
      const message =
        'It is too short to tell apart from ordinary text, so it is not hidden from agents that come across it.';
      return { message, severity: vscode.InputBoxValidationSeverity.Warning };
    },
  });
}

function problemOf(name: string, taken: readonly string[]): string | undefined {
  if (!isSecretName(name)) return `A name can have ${SECRET_NAME_RULE}.`;
  return taken.includes(name) ? existing(name) : undefined;
}

function existing(name: string): string {
  return `A secret named ${name} already exists. Run “Cairn: Manage Secrets…” to update it.`;
}

/** Throws EngineError `not-found` when another window deleted it meanwhile. */
async function valueOf(secrets: Secrets, name: string): Promise<string> {
  const value = await secrets.kept(storedName(name));
  if (value !== undefined) return value;
  throw new EngineError('not-found', `The secret ${name} no longer exists: it was deleted in another window.`);
}

async function namesOf(secrets: Secrets): Promise<string[]> {
  return (await secrets.names()).flatMap((stored) => nameOfStored(stored) ?? []).sort();
}

function useOf(name: string): string {
  const provider = PROVIDER_KEYS.find(({ keyVariable }) => keyVariable === name);
  return provider ? `used as the API key for ${provider.label}` : '';
}
