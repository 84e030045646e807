import type { Log, Ports, ProcessRunner } from '../ports';
import { KnownSecrets } from './knownSecrets';

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
