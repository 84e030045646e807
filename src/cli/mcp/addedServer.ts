import {
  addressServer,
  commandServer,
  isAddress,
  lineServer,
  type PackageKind,
  packageServer,
  SERVER_TEMPLATES,
  type WrittenServer,
} from '../../engine';
import { UsageError } from '../exitStatus';

interface AddedServer {
  name: string;
  /** Command and arguments, an address, or a package and arguments; empty for a template. */
  launch: readonly string[];
  env: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  sse: boolean;
}

/** The names of the templates. */
export const TEMPLATES = SERVER_TEMPLATES.map(([name]) => name.toLowerCase())
  .join(', ')
  .replace(/, (?=\w+$)/, ', or ');

const PACKAGE = /^(npm|pypi|docker):([^]*)$/;

/** Returns the server to add. Throws UsageError if there is nothing to start or reach. */
export function addedServer({ name, launch, env, headers, sse }: AddedServer): WrittenServer {
  const [first, ...rest] = launch;
  if (first === undefined) return ofTemplate(name, env, headers);
  const [, kind, id = ''] = PACKAGE.exec(first) ?? [];
  if (isKind(kind)) {
    const { command, args } = packageServer(kind, id) ?? {};
    if (typeof command !== 'string' || !Array.isArray(args))
      throw new UsageError(`${id} is not the name of a package.`);
    return commandServer([command, ...args.map(String), ...rest], env);
  }
  if (!isAddress(first)) return commandServer(launch, env);
  if (rest.length > 0) throw new UsageError(`cairn mcp add ${name} takes one address and nothing else.`);
  return address(first, sse, headers);
}

function isKind(kind: string | undefined): kind is PackageKind {
  return kind === 'npm' || kind === 'pypi' || kind === 'docker';
}

function ofTemplate(name: string, env: AddedServer['env'], headers: AddedServer['headers']): WrittenServer {
  const line = SERVER_TEMPLATES.find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
  if (line === undefined) {
    const what = `cairn mcp add ${name} takes a command, an address, or a package after the name.`;
    throw new UsageError(`${what} Without one, NAME is one of ${TEMPLATES}.`);
  }
  if (isAddress(line)) return address(line, false, headers);
  const { command, args } = lineServer(line) ?? {};
  return commandServer([String(command), ...(Array.isArray(args) ? args.map(String) : [])], env);
}

function address(text: string, sse: boolean, headers: AddedServer['headers']): WrittenServer {
  const server = addressServer(text, { sse, headers });
  if (!server) throw new UsageError(`${text} is not an address.`);
  return server;
}
