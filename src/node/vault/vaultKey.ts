import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EngineError } from '../../engine';
import { fileError } from '../fileError';

/**
 * The key of the vault where nobody is asked for it: CAIRN_VAULT_PASSPHRASE, else the text of the file that CAIRN_VAULT_KEY_FILE
 * names; undefined when neither is set. `env` is the process's own, never what a folder says. Throws EngineError when the file
 * cannot be read or is empty: another key in its place would be a wrong one.
 */
export async function unattendedKey(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const passphrase = env['CAIRN_VAULT_PASSPHRASE'];
  if (passphrase) return passphrase;
  const named = env['CAIRN_VAULT_KEY_FILE'];
  if (!named) return undefined;
  const file = resolve(named);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const { reason, message } = fileError(error, `The key file ${file} (CAIRN_VAULT_KEY_FILE)`);
    throw new EngineError(reason, message, { cause: error });
  });
  const key = text.trim();
  if (key !== '') return key;
  throw new EngineError(
    'invalid-input',
    `The key file ${file} (CAIRN_VAULT_KEY_FILE) is empty. Put a long passphrase or random text into it.`,
  );
}
