import { EngineError, type SignInStore } from '../../engine';
import { vaultFileIn } from '../../node/configFolder';
import { exclusively } from '../../node/locks/lockFile';
import { changeVault, readVault } from '../../node/vault/vaultFile';
import { type RunVault, SIGN_IN } from '../vault/runVault';

interface VaultSignInParts {
  /** Absolute path of Cairn's folder. */
  configFolder: string;
  vault: RunVault;
  hide: (value: string) => void;
}

/** Stores server sign-ins in the vault. */
export function vaultSignIns({ configFolder, vault, hide }: VaultSignInParts): SignInStore {
  const file = vaultFileIn(configFolder);
  return {
    hide,
    async get(name) {
      const { key } = await vault.open();
      return key === undefined ? undefined : (await readVault(file, key)).get(SIGN_IN + name);
    },
    async set(name, value) {
      const { key } = await vault.open();
      if (key === undefined) throw closed();
      await changeVault(file, key, (secrets) => {
        if (value === undefined) secrets.delete(SIGN_IN + name);
        else secrets.set(SIGN_IN + name, value);
      });
    },
    exclusively: (name, work) => exclusively(`${file}.${name.replaceAll(/[^\w.-]/g, '_')}.lock`, work),
  };
}

function closed(): EngineError {
  const remedy = 'CAIRN_VAULT_PASSPHRASE or CAIRN_VAULT_KEY_FILE opens it, or makes it with the first sign-in.';
  return new EngineError('invalid-state', `Sign-ins are kept in the vault, which is locked. ${remedy}`);
}
