import { join } from 'node:path';
import { EngineError, OWN_SERVER_FILE } from '../../engine';
import { changeOwnServers, type WrittenServers } from '../../node/mcp/ownServerFile';
import { UsageError } from '../exitStatus';
import type { McpArguments } from './parseMcpArguments';

/** Writes a server into the person's own file. Throws EngineError `exists`, and `invalid-input` for a file that cannot be changed. */
export async function addServer(configFolder: string, args: McpArguments): Promise<void> {
  const server = serverOf(args);
  await changeOwnServers(configFolder, (servers) => {
    if (Object.hasOwn(servers, args.name)) {
      const remedy = `cairn mcp remove ${args.name} removes it.`;
      throw new EngineError('exists', `there is an MCP server ${args.name} already. ${remedy}`);
    }
    return { ...servers, [args.name]: server };
  });
}

/** Throws EngineError `not-found`, and `invalid-input` for a file that cannot be changed. */
export async function removeServer(configFolder: string, name: string): Promise<void> {
  await changeOwnServers(configFolder, (servers) => {
    if (!Object.hasOwn(servers, name)) {
      throw new EngineError('not-found', `there is no MCP server ${name} in ${join(configFolder, OWN_SERVER_FILE)}.`);
    }
    return Object.fromEntries(Object.entries(servers).filter(([id]) => id !== name));
  });
}

function serverOf({ launch: [first = '', ...rest], env, headers, sse, name }: McpArguments): WrittenServers {
  const isAddress = /^https?:\/\//i.test(first);
  if (isAddress && !URL.canParse(first)) throw new UsageError(`${first} is not an address.`);
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
