import { stat } from 'node:fs/promises';
import { EngineError, type SignInStore } from '../../engine';
import { exclusively } from '../../node/locks/exclusively';
import { changeVault, readVault } from '../../node/vault/vaultFile';
import { vaultFileIn } from '../../node/vault/vaultFileIn';
import { SIGN_IN } from '../vault/vaultSecrets';

export interface VaultSignInParts {
  /** Absolute; Cairn's own. */
  configFolder: string;
  /** Undefined: nobody opened the vault. */
  key: string | undefined;
  hide: (value: string) => void;
}

/** Sign-ins to servers in the vault, which is opened again only when its file changed: that takes the cipher a third of a second. */
export function vaultSignIns({ configFolder, key, hide }: VaultSignInParts): SignInStore {
  const file = vaultFileIn(configFolder);
  let opened: { stamp: string; secrets: Promise<ReadonlyMap<string, string>> } | undefined;
  const secretsIn = async (): Promise<ReadonlyMap<string, string>> => {
    const stamp = await stampOf(file);
    if (key === undefined || stamp === undefined) return new Map();
    if (opened?.stamp !== stamp) opened = { stamp, secrets: readVault(file, key) };
    return opened.secrets;
  };
  return {
    hide,
    get: async (name) => (await secretsIn()).get(SIGN_IN + name),
    async set(name, value) {
      if (key === undefined) throw closed();
      await changeVault(file, key, (secrets) => {
        if (value === undefined) secrets.delete(SIGN_IN + name);
        else secrets.set(SIGN_IN + name, value);
      });
    },
    exclusively: (name, work) => exclusively(`${file}.${name.replaceAll(/[^\w.-]/g, '_')}.lock`, work),
  };
}

/** Undefined when there is no vault. */
async function stampOf(file: string): Promise<string | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found && `${found.ino} ${found.size} ${found.mtimeNs}`;
}

function closed(): EngineError {
  const remedy = 'CAIRN_VAULT_PASSPHRASE or CAIRN_VAULT_KEY_FILE opens it, or makes it with the first sign-in.';
  return new EngineError('invalid-state', `Sign-ins are kept in the vault, which is locked. ${remedy}`);
}
