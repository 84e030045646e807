import { existsSync } from 'node:fs';
import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errorText';
import { nameOfStored, PROVIDER_KEYS, type SecretStore, storedName } from '../../engine';
import type { ConfigSecrets } from '../../node/config/readConfig';
import { vaultFileIn } from '../../node/vault/vaultFileIn';

export interface VaultForRun {
  configFolder: string;
  env: NodeJS.ProcessEnv;
  /** Whether a person can be asked for the passphrase. */
  asks: boolean;
  /** Tells the person what is left out. */
  say: (line: string) => void;
}

export interface OpenVault {
  /** By name, without the sign-ins to servers. */
  secrets: ReadonlyMap<string, string>;
  /** Undefined where nobody gave one. */
  key: string | undefined;
}

/** Begins the names of sign-ins to servers, which no placeholder can name. */
export const SIGN_IN = 'MCP sign-in: ';

const CLOSED: OpenVault = { secrets: new Map(), key: undefined };

/**
 * What the vault keeps, by name, for one run. A run that cannot open it goes on without, and says so: it may need none of it.
 */
export async function vaultSecrets({ configFolder, env, asks, say }: VaultForRun): Promise<OpenVault> {
  const file = vaultFileIn(configFolder);
  if (!existsSync(file)) return CLOSED;
  try {
    const { unattendedKey } = await import('../../node/vault/vaultKey');
    const key = (await unattendedKey(env)) ?? (asks ? await askedKey() : undefined);
    if (key) return await openVault(file, key);
    say(
      'cairn: the vault is locked, so its secrets are not used. CAIRN_VAULT_PASSPHRASE or CAIRN_VAULT_KEY_FILE opens it.',
    );
  } catch (error) {
    if (isAbort(error)) throw error;
    say(`cairn: the secrets of the vault are not used. ${errorText(error)}`);
  }
  return CLOSED;
}

/** Rejects with EngineError as `readVault` does. */
export async function openVault(file: string, key: string): Promise<OpenVault> {
  const all = await (await import('../../node/vault/vaultFile')).readVault(file, key);
  return { secrets: new Map([...all].filter(([name]) => !name.startsWith(SIGN_IN))), key };
}

async function askedKey(): Promise<string | undefined> {
  const { askHidden } = await import('./hiddenInput');
  return askHidden('Passphrase of the vault (press Enter to continue without it):  ', process.stdin, process.stderr);
}

/** The vault as `config.yaml` is read with it. */
export function configSecrets(vault: ReadonlyMap<string, string>): ConfigSecrets {
  return {
    get: (name) => Promise.resolve(vault.get(name)),
    howToAdd: (name) => `cairn vault add ${name}`,
  };
}

/** The keys of providers that are in the vault under the names of their variables; what `first` has comes before them. */
export function withVault(first: SecretStore, vault: ReadonlyMap<string, string>): SecretStore {
  if (vault.size === 0) return first;
  const variables = new Map(PROVIDER_KEYS.map(({ id, keyVariable }) => [`apiKey.${id}`, keyVariable]));
  return {
    get: async (name) => (await first.get(name)) ?? vault.get(nameOfStored(name) ?? variables.get(name) ?? ''),
    names: () => Promise.resolve([...vault.keys()].map(storedName)),
    hidden: () => [...(first.hidden?.() ?? []), ...vault.values()],
  };
}
