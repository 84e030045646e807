import { PROVIDER_KEYS } from '../llm/provider';
import type { Log, Ports, ProcessRunner, SecretStore, TextPieces } from '../ports';
import { secretForms } from './secretForms';
import { SecretScan } from './secretScan';

/** Redacts every secret that a store has or has ever returned, in any form it may be written. */
export class KnownSecrets implements SecretStore {
  private readonly values = new Set<string>();
  private compiled: SecretScan | undefined;
  private reading: Promise<void> | undefined;

  constructor(private readonly store: SecretStore) {
    this.learn();
    // Never unsubscribed: the store has the same lifetime.
    store.onChange?.(() => void this.lookAgain());
  }

  async get(name: string): Promise<string | undefined> {
    const value = await this.store.get(name);
    if (value !== undefined) this.learn([value]);
    return value;
  }

  async names(): Promise<readonly string[]> {
    return (await this.store.names?.()) ?? [];
  }

  /** Resolves once all stored secrets that the store makes available are known. */
  ready(): Promise<void> {
    this.reading ??= this.learnAll();
    return this.reading;
  }

  /** Like `ready`, but includes secrets stored since the last call. */
  lookAgain(): Promise<void> {
    this.reading = undefined;
    return this.ready();
  }

  strike(text: string): string {
    return this.scan.scan(text, false).struck;
  }

  /** Redacts a text that arrives in pieces. */
  stream(): TextPieces {
    let held = '';
    const next = (piece: string, isOpen: boolean) => {
      const scanned = this.scan.scan(held + piece, isOpen);
      held = scanned.held;
      return scanned.struck;
    };
    return { push: (piece) => next(piece, true), end: () => next('', false) };
  }

  private get scan(): SecretScan {
    return (this.compiled ??= new SecretScan([...this.values].flatMap(secretForms)));
  }

  private async learnAll(): Promise<void> {
    this.learn();
    if (this.store.isLocked?.()) return;
    const own = this.names().then((names) => Promise.allSettled(names.map((name) => this.get(name))));
    const keys = PROVIDER_KEYS.map(({ id }) => this.get(`apiKey.${id}`));
    await Promise.allSettled([own, ...keys]);
  }

  private learn(values = this.store.hidden?.() ?? []): void {
    const before = this.values.size;
    for (const value of values) this.values.add(value);
    if (this.values.size > before) this.compiled = undefined;
  }
}

/** Wraps ports so that no known secret appears in the output of commands or in the log. */
export function discreetPorts(ports: Ports): Ports & Required<Pick<Ports, 'strike' | 'strikePieces' | 'secretsKnown'>> {
  const secrets = new KnownSecrets(ports.secrets);
  return {
    ...ports,
    secrets,
    processes: discreetRunner(ports.processes, secrets),
    log: discreetLog(ports.log, secrets),
    strike: (text) => secrets.strike(text),
    strikePieces: () => secrets.stream(),
    secretsKnown: () => secrets.lookAgain(),
  };
}

function discreetRunner(processes: ProcessRunner, secrets: KnownSecrets): ProcessRunner {
  return {
    async run(request, signal) {
      await secrets.ready();
      const output = secrets.stream();
      const tell = (text: string) => (text === '' ? undefined : request.onOutput(text));
      try {
        return await processes.run({ ...request, onOutput: (chunk) => tell(output.push(chunk)) }, signal);
      } finally {
        await tell(output.end());
      }
    },
  };
}

function discreetLog(log: Log, secrets: KnownSecrets): Log {
  return {
    info: (message) => log.info(secrets.strike(message)),
    warn: (message) => log.warn(secrets.strike(message)),
    error: (message, error) => log.error(secrets.strike(message), discreetError(error, secrets)),
  };
}

function discreetError(error: unknown, secrets: KnownSecrets): unknown {
  if (typeof error === 'string') return secrets.strike(error);
  if (!(error instanceof Error)) return error;
  const { message, stack } = error;
  const [said, where] = [secrets.strike(message), stack === undefined ? undefined : secrets.strike(stack)];
  if (said === message && where === stack) return error;
  const struck = new Error(said);
  struck.name = error.name;
  if (where !== undefined) struck.stack = where;
  return struck;
}
