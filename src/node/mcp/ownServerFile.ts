import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../../base/errorText';
import { isRecord } from '../../base/isRecord';
import { EngineError, OWN_SERVER_FILE } from '../../engine';
import { errorCode } from '../fileError';
import { nodeFileSystem } from '../nodeFileSystem';

/** Servers by name, as they are written. */
export type WrittenServers = Readonly<Record<string, unknown>>;

/**
 * Changes the servers of the person's own file, while nobody else does; what else stands in it stays. Rejects with EngineError
 * `invalid-input` for a file that cannot be changed.
 */
export async function changeOwnServers(
  configFolder: string,
  edit: (servers: WrittenServers) => WrittenServers,
): Promise<void> {
  const file = join(configFolder, OWN_SERVER_FILE);
  const files = nodeFileSystem(false);
  await files.makeDirectory(configFolder);
  await files.exclusively(`${file}.lock`, async () => {
    const data = await read(file);
    const text = `${JSON.stringify({ ...data, mcpServers: edit(serversIn(data, file)) }, undefined, 2)}\n`;
    await files.writeFile(file, new TextEncoder().encode(text));
  });
}

/** None where there is no file. Rejects as `changeOwnServers` does. */
export async function readOwnServers(configFolder: string): Promise<WrittenServers> {
  const file = join(configFolder, OWN_SERVER_FILE);
  return serversIn(await read(file), file);
}

function serversIn(data: WrittenServers, file: string): WrittenServers {
  const servers = data['mcpServers'] ?? {};
  if (isRecord(servers) && !Array.isArray(servers)) return servers;
  throw new EngineError('invalid-input', `${file}: “mcpServers” must be an object of servers by name.`);
}

async function read(file: string): Promise<WrittenServers> {
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
    throw new EngineError(
      'invalid-input',
      `${file} cannot be changed (${errorText(error)}). Correct it, or write the server into it yourself.`,
    );
  }
}
