import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { EngineError } from '../../engine';
import { fileError } from '../fileError';

/**
 * Returns the vault's key without prompting: CAIRN_VAULT_PASSPHRASE, or else the contents of the file named by
 * CAIRN_VAULT_KEY_FILE; undefined if neither is set. `env` must be the process's own, never a workspace's. Throws EngineError if
 * the file cannot be read, is empty, or is readable by others: falling back to another key would be wrong.
 */
export async function unattendedKey(env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const passphrase = env['CAIRN_VAULT_PASSPHRASE'];
  if (passphrase) return passphrase;
  const named = env['CAIRN_VAULT_KEY_FILE'];
  if (!named) return undefined;
  const file = resolve(named);
  const text = await textOf(file).catch((error: unknown) => {
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

/** Anyone who can read the file can open the vault. Windows has no such bits. */
const OTHERS = 0o077;

async function textOf(file: string): Promise<string> {
  const opened = await open(file);
  try {
    const found = await opened.stat();
    if (process.platform !== 'win32' && found.isFile() && (found.mode & OTHERS) !== 0) {
      throw new EngineError(
        'denied',
        `The key file ${file} (CAIRN_VAULT_KEY_FILE) can be used by others on this machine. Run chmod 600 on it.`,
      );
    }
    return await opened.readFile('utf8');
  } finally {
    await opened.close();
  }
}
