import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../../base/errorText';
import { isRecord } from '../../base/isRecord';
import { EngineError, OWN_SERVER_FILE } from '../../engine';
import { errorCode } from '../../node/errorCode';
import { nodeFileSystem } from '../../node/nodeFileSystem';
import { UsageError } from '../exitStatus';
import type { McpArguments } from './parseMcpArguments';

type Servers = Record<string, unknown>;

/** Writes a server into the person's own file. Throws EngineError `exists`, and UsageError for a file that cannot be changed. */
export async function addServer(configFolder: string, args: McpArguments): Promise<void> {
  const server = serverOf(args);
  await change(configFolder, (servers) => {
    if (Object.hasOwn(servers, args.name)) {
      const remedy = `cairn mcp remove ${args.name} removes it.`;
      throw new EngineError('exists', `there is an MCP server ${args.name} already. ${remedy}`);
    }
    return { ...servers, [args.name]: server };
  });
}

/** Throws EngineError `not-found`, and UsageError for a file that cannot be changed. */
export async function removeServer(configFolder: string, name: string): Promise<void> {
  await change(configFolder, (servers) => {
    if (!Object.hasOwn(servers, name)) {
      throw new EngineError('not-found', `there is no MCP server ${name} in ${join(configFolder, OWN_SERVER_FILE)}.`);
    }
    return Object.fromEntries(Object.entries(servers).filter(([id]) => id !== name));
  });
}

function serverOf({ launch: [first = '', ...rest], env, headers, sse, name }: McpArguments): Servers {
  const isAddress = /^https?:\/\//i.test(first);
  if (isAddress && !URL.canParse(first)) throw new UsageError(`${first} is no address.`);
  if (isAddress) {
    if (rest.length > 0) throw new UsageError(`cairn mcp add ${name} takes one address and nothing after it.`);
    return { type: sse ? 'sse' : 'http', url: first, ...(Object.keys(headers).length > 0 && { headers }) };
  }
  return {
    type: 'stdio',
    command: first,
    ...(rest.length > 0 && { args: rest }),
    ...(Object.keys(env).length > 0 && { env }),
  };
}

/** Nobody else changes it meanwhile, and what else stands in it stays. */
async function change(configFolder: string, edit: (servers: Servers) => Servers): Promise<void> {
  const file = join(configFolder, OWN_SERVER_FILE);
  const files = nodeFileSystem(false);
  await files.makeDirectory(configFolder);
  await files.exclusively(`${file}.lock`, async () => {
    const data = await read(file);
    const servers = data['mcpServers'] ?? {};
    if (!isRecord(servers)) throw new UsageError(`${file}: “mcpServers” must be an object of servers by name.`);
    const text = `${JSON.stringify({ ...data, mcpServers: edit(servers) }, undefined, 2)}\n`;
    await files.writeFile(file, new TextEncoder().encode(text));
  });
}

async function read(file: string): Promise<Servers> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    throw error;
  }
  try {
    const data: unknown = JSON.parse(text);
    if (isRecord(data) && !Array.isArray(data)) return data;
    throw new Error('it must be an object');
  } catch (error) {
    // Also one with comments, which would be lost.
    throw new UsageError(
      `${file} cannot be changed (${errorText(error)}). Correct it, or write the server into it yourself.`,
    );
  }
}
