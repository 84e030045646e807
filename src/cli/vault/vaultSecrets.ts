import { existsSync } from 'node:fs';
import { isAbort } from '../../base/abort';
import { errorText } from '../../base/errorText';
import { nameOfStored, PROVIDER_KEYS, type SecretStore, storedName } from '../../engine';
import type { ConfigSecrets } from '../../node/config/readConfig';
import { vaultFileIn } from '../../node/vault/vaultFileIn';
import type { Terminal } from '../terminal';
import { CLOSED, type OpenVault, RunVault } from './runVault';

type Asked = Pick<Terminal, 'turns' | 'interrupt'>;

export interface VaultForRun {
  configFolder: string;
  env: NodeJS.ProcessEnv;
  /** Where a person is asked for the passphrase; undefined where nobody can be. */
  screen: Asked | undefined;
  /** Tells the person what is left out. */
  say: (line: string) => void;
}

/** Begins the names of sign-ins to servers, which no placeholder can name. */
export const SIGN_IN = 'MCP sign-in: ';

/**
 * The vault as one run has it. It is opened at once when its key is at hand, so that all that it keeps can be struck out; a person is
 * asked once something of it is needed. A run that cannot open it goes on without, and says so.
 */
export async function vaultSecrets({ configFolder, env, screen, say }: VaultForRun): Promise<RunVault> {
  const file = vaultFileIn(configFolder);
  if (!existsSync(file)) return RunVault.opened(CLOSED);
  const openWith = (key: () => Promise<string | undefined>) => openOrSay(file, key, say);
  const { unattendedKey } = await import('../../node/vault/vaultKey');
  if (screen && !env['CAIRN_VAULT_PASSPHRASE'] && !env['CAIRN_VAULT_KEY_FILE']) {
    return new RunVault(() => openWith(() => askedKey(screen)));
  }
  return RunVault.opened(await openWith(() => unattendedKey(env)));
}

async function openOrSay(
  file: string,
  keyOf: () => Promise<string | undefined>,
  say: (line: string) => void,
): Promise<OpenVault> {
  try {
    const key = await keyOf();
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

/** Agents may ask at the same time. */
async function askedKey({ turns, interrupt }: Asked): Promise<string | undefined> {
  const { askHidden } = await import('./hiddenInput');
  const prompt = 'Passphrase of the vault (press Enter to continue without it):  ';
  try {
    return await turns.take(() => askHidden(prompt, process.stdin, process.stderr), new AbortController().signal);
  } catch (error) {
    // Of a run that is under way, nobody else tells that it is to end.
    if (isAbort(error)) interrupt();
    throw error;
  }
}

/** The vault as `config.yaml` is read with it. */
export function configSecrets(vault: RunVault): ConfigSecrets {
  return {
    get: async (name) => (await vault.open()).secrets.get(name),
    howToAdd: (name) => `cairn vault add ${name}`,
  };
}

/**
 * The keys of providers that are in `given`, or in the vault under the names of their variables; what `first` has comes before them.
 */
export function withVault(first: SecretStore, given: ReadonlyMap<string, string>, vault: RunVault): SecretStore {
  const variables = new Map(PROVIDER_KEYS.map(({ id, keyVariable }) => [`apiKey.${id}`, keyVariable]));
  return {
    async get(name) {
      const inVault = nameOfStored(name) ?? variables.get(name) ?? '';
      return (await first.get(name)) ?? given.get(inVault) ?? (await vault.open()).secrets.get(inVault);
    },
    isLocked: () => vault.isLocked,
    names: () => Promise.resolve([...vault.known.secrets.keys(), ...given.keys()].map(storedName)),
    onChange: (listener) => vault.onOpen(listener),
    hidden: () => [...(first.hidden?.() ?? []), ...vault.known.secrets.values(), ...given.values()],
  };
}
