import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isatty } from 'node:tty';
import { parseArgs } from 'node:util';
import { AbortError } from '../../base/abort';
import { errorText } from '../../base/errors';
import { nearest } from '../../base/matching';
import { EngineError, isSecretName, isStruckOut, SECRET_NAME_RULE } from '../../engine';
import { configFolder, vaultFileIn } from '../../node/configFolder';
import { ownEnvironment } from '../../node/ownEnvironment';
import { changeVault, readVault } from '../../node/vault/vaultFile';
import { unattendedKey } from '../../node/vault/vaultKey';
import { EXIT, UsageError, wrongOptions } from '../exitStatus';
import type { OutputStreams } from '../output';
import { refuseEmpty } from '../parseArguments';
import { hasPerson } from '../terminal';
import { askHidden } from './hiddenInput';

export const VAULT_HELP = `Usage:
  cairn vault add NAME       Add a secret
  cairn vault get NAME       Print a secret
  cairn vault update NAME    Replace a secret's value
  cairn vault delete NAME    Delete a secret
  cairn vault list           List the names of all secrets

Options:
  --config-dir DIR    Cairn's configuration folder, which holds the vault as vault.json (default: ~/.config/cairn)

Values are typed without being shown, or read from standard input. They are encrypted with a passphrase that you are asked
for, or that comes from CAIRN_VAULT_PASSPHRASE or the file named by CAIRN_VAULT_KEY_FILE. Without it the secrets cannot be
recovered. A secret named after a provider's key variable, such as OPENAI_API_KEY, is used as that key.
`;

const OPTIONS = { 'config-dir': { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
const ACTIONS = ['add', 'get', 'update', 'delete', 'list'] as const;
type Action = (typeof ACTIONS)[number];

const MIN_PASSPHRASE = 10;

interface Vault {
  file: string;
  key: string;
}

/** Runs `cairn vault` and returns the exit status. Throws UsageError, EngineError, and AbortError on Ctrl+C. */
export async function vaultCommand(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  { out, err, outIsTerminal }: OutputStreams,
): Promise<number> {
  const asked = parse(argv);
  if (asked === 'help') {
    out(VAULT_HELP);
    return EXIT.completed;
  }
  const { action, name } = asked;
  const folder = asked.folder === undefined ? configFolder(env) : resolve(asked.folder);
  const file = vaultFileIn(folder);
  if (action !== 'add' && !existsSync(file)) throw noVault(file);
  const key = await keyOf(file, ownEnvironment(env, folder));
  const secrets = await readVault(file, key);
  if (action === 'list') {
    for (const one of [...secrets.keys()].sort()) out(`${one}\n`);
    return EXIT.completed;
  }
  mustFit(action, name, secrets);
  if (action === 'get') {
    if (outIsTerminal) err(`cairn: the value of ${name} is now visible on this screen.\n`);
    // Other programs get the exact value.
    out(`${secrets.get(name) ?? ''}${outIsTerminal ? '\n' : ''}`);
    return EXIT.completed;
  }
  const value = action === 'delete' ? undefined : await valueOf(name);
  await change({ file, key }, action, name, value);
  err(`cairn: ${name} is ${DONE[action]}.\n`);
  if (value !== undefined && !isStruckOut(value)) err(`cairn: ${TOO_SHORT}\n`);
  return EXIT.completed;
}

const TOO_SHORT =
  'its value is too short to tell apart from ordinary text, so it is not hidden from agents that come across it.';

const DONE: Record<Exclude<Action, 'get' | 'list'>, string> = {
  add: 'kept in the vault',
  update: 'kept with its new value',
  delete: 'deleted from the vault',
};

/** Checks again against the vault's current contents, because another process may have changed it. */
function change({ file, key }: Vault, action: Action, name: string, value: string | undefined): Promise<void> {
  return changeVault(file, key, (secrets) => {
    mustFit(action, name, secrets);
    if (value === undefined) secrets.delete(name);
    else secrets.set(name, value);
  });
}

function mustFit(action: Action, name: string, secrets: ReadonlyMap<string, string>): void {
  if (action === 'add') {
    if (!secrets.has(name)) return;
    throw new EngineError(
      'exists',
      `the vault already has a secret named ${name}. cairn vault update ${name} replaces it.`,
    );
  }
  if (secrets.has(name)) return;
  const meant = nearest(name, secrets.keys());
  const hint = meant === undefined ? 'Run cairn vault list to see them.' : `Did you mean ${meant}?`;
  throw new EngineError('not-found', `the vault has no secret named ${name}. ${hint}`);
}

function noVault(file: string): EngineError {
  return new EngineError('not-found', `there is no vault at ${file} yet. Create it with cairn vault add NAME.`);
}

function parse(argv: readonly string[]): 'help' | { action: Action; name: string; folder: string | undefined } {
  const { values, positionals } = parsedArguments(argv);
  refuseEmpty(values, 'cairn vault --help');
  const [word, name, ...more] = positionals;
  if (values.help || word === undefined) return 'help';
  const action = ACTIONS.find((one) => one === word);
  const folder = values['config-dir'];
  if (action === undefined) {
    throw new UsageError(
      `cairn vault takes ${ACTIONS.join(', ')}, not "${word}". Put a prompt that begins with "vault" in quotes.`,
    );
  }
  if (action === 'list') {
    if (name !== undefined) throw new UsageError('cairn vault list takes no name.');
    return { action, name: '', folder };
  }
  if (more.length > 0) {
    throw new UsageError(
      `cairn vault ${action} takes a name and nothing else. Other users can read a value in a command, and your shell keeps it in its history: type it when prompted, or pass it on standard input.`,
    );
  }
  if (name === undefined || !isSecretName(name)) {
    throw new UsageError(`cairn vault ${action} takes the name of a secret: ${SECRET_NAME_RULE}.`);
  }
  return { action, name, folder };
}

function parsedArguments(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw wrongOptions(error, 'cairn vault');
  }
}

/** Returns the key of a vault, or a new key if there is no vault yet. Throws UsageError, EngineError and AbortError. */
export async function keyOf(file: string, env: NodeJS.ProcessEnv): Promise<string> {
  const isNew = !existsSync(file);
  const given = await unattendedKey(env);
  if (given === undefined && !hasPerson()) {
    throw new UsageError(
      'there is no terminal to ask for the passphrase of the vault. Set CAIRN_VAULT_PASSPHRASE or CAIRN_VAULT_KEY_FILE.',
    );
  }
  const key = given ?? (await typed(isNew ? 'Passphrase for the new vault: ' : 'Passphrase of the vault: '));
  if (!isNew) return key;
  if (key.length < MIN_PASSPHRASE) {
    throw new UsageError(`a passphrase needs at least ${MIN_PASSPHRASE} characters; four words or more are better.`);
  }
  if (given === undefined && (await typed('Repeat the passphrase: ')) !== key) {
    throw new UsageError('the passphrases do not match, so no vault was created.');
  }
  return key;
}

async function valueOf(name: string): Promise<string> {
  const value = isatty(0) ? await typed(`Value of ${name}: `) : withoutLastBreak(await standardInput());
  if (value !== '') return value;
  throw new UsageError(`the value of ${name} is empty, so nothing was changed.`);
}

async function standardInput(): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await buffer(process.stdin));
  } catch (error) {
    throw new UsageError(`standard input is not UTF-8 text (${errorText(error)}). Encode it first, as with base64.`);
  }
}

/** Removes the line break that `echo` and editors append. */
function withoutLastBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** Treats Ctrl+D like Ctrl+C. */
async function typed(prompt: string): Promise<string> {
  const text = await askHidden(prompt, process.stdin, process.stderr);
  if (text === undefined) throw new AbortError();
  return text;
}
