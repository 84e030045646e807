import { existsSync } from 'node:fs';
import { isAbort } from '../../base/abort';
import { type Disposable, Emitter } from '../../base/disposable';
import { errorText } from '../../base/errors';
import { nameOfStored, PROVIDER_KEYS, type SecretStore, storedName } from '../../engine';
import type { ConfigSecrets } from '../../node/config/readConfig';
import { vaultFileIn } from '../../node/configFolder';
import type { Terminal } from '../terminal';

interface OpenVault {
  /** Secrets by name, without server sign-ins. */
  secrets: ReadonlyMap<string, string>;
  /** Undefined if none was given. */
  key: string | undefined;
}

const CLOSED: OpenVault = { secrets: new Map(), key: undefined };

/** A vault that is opened once, when its contents are first needed. */
export class RunVault {
  private opening: Promise<OpenVault> | undefined;
  private now: OpenVault = CLOSED;
  private readonly changes = new Emitter<void>(() => undefined);

  constructor(private readonly unlock: () => Promise<OpenVault>) {}

  /** Returns a vault that is already open, so it never prompts. */
  static opened(open: OpenVault): RunVault {
    const vault = new RunVault(() => Promise.resolve(open));
    vault.now = open;
    vault.opening = Promise.resolve(open);
    return vault;
  }

  /** Whether the user would have to be prompted before anything is known. */
  get isLocked(): boolean {
    return this.opening === undefined;
  }

  /** Empty while the vault is locked. */
  get known(): OpenVault {
    return this.now;
  }

  /** Opens the vault, prompting the user the first time. Rejects with AbortError if they cancel. */
  open(): Promise<OpenVault> {
    return (this.opening ??= this.unlock().then((open) => {
      this.now = open;
      this.changes.emit();
      return open;
    }));
  }

  onOpen(listener: () => void): Disposable {
    return this.changes.on(listener);
  }
}

type Asked = Pick<Terminal, 'turns' | 'interrupt'>;

export interface VaultForRun {
  configFolder: string;
  env: NodeJS.ProcessEnv;
  /** The terminal on which to ask for the passphrase; undefined when there is no user. */
  screen: Asked | undefined;
  /** Tells the user what was left out. */
  say: (line: string) => void;
}

/** Prefix of the names of server sign-ins. No placeholder can name them. */
export const SIGN_IN = 'MCP sign-in: ';

/**
 * Returns the vault for one run. It is opened immediately if its key is available, so that all its secrets can be redacted;
 * otherwise the user is prompted when a secret is first needed. A run that cannot open it reports that and continues without it.
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

/** Opens a vault. Rejects with the same EngineErrors as `readVault`. */
export async function openVault(file: string, key: string): Promise<OpenVault> {
  const all = await (await import('../../node/vault/vaultFile')).readVault(file, key);
  return { secrets: new Map([...all].filter(([name]) => !name.startsWith(SIGN_IN))), key };
}

/** Waits for its turn, because agents may ask at the same time. */
async function askedKey({ turns, interrupt }: Asked): Promise<string | undefined> {
  const { askHidden } = await import('./hiddenInput');
  const prompt = 'Passphrase of the vault (press Enter to continue without it):  ';
  try {
    return await turns.take(() => askHidden(prompt, process.stdin, process.stderr), new AbortController().signal);
  } catch (error) {
    // Nothing else would tell a run in progress to stop.
    if (isAbort(error)) interrupt();
    throw error;
  }
}

/** Returns the vault as the source of secrets for reading `config.yaml`. */
export function configSecrets(vault: RunVault): ConfigSecrets {
  return {
    get: async (name) => (await vault.open()).secrets.get(name),
    howToAdd: (name) => `cairn vault add ${name}`,
  };
}

/**
 * Adds provider keys to a store: `first` takes precedence, then `given`, then the vault, where keys are stored under the names of
 * their variables.
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
