import { join } from 'node:path';
import { errorText } from '../../base/errors';
import { isRecord } from '../../base/isRecord';
import { changedJson, EngineError, type FileSystem, OWN_SERVER_FILE, plainJson } from '../../engine';
import { nodeFileSystem } from '../nodeFileSystem';

/** Servers by name, as written in the file. */
type WrittenServers = Readonly<Record<string, unknown>>;

interface ServerFileText {
  text: string;
  data: WrittenServers;
}

/** Changes the servers in the user's file, as `changeServers` does. */
export async function changeOwnServers(
  configFolder: string,
  edit: (servers: WrittenServers) => WrittenServers,
): Promise<void> {
  await changeServers(join(configFolder, OWN_SERVER_FILE), edit);
}

/**
 * Changes the servers under `mcpServers` in a file, holding its lock; the rest of the file is left as written. Rejects with
 * EngineError `invalid-input` for a file that cannot be changed.
 */
export async function changeServers(
  file: string,
  edit: (servers: WrittenServers) => WrittenServers,
  files: FileSystem = nodeFileSystem(false),
): Promise<void> {
  await files.makeDirectory(join(file, '..'));
  await files.exclusively(`${file}.lock`, async () => {
    const { text, data } = await read(file, files);
    const after = { ...data, mcpServers: edit(serversIn(data, file)) };
    await files.writeFile(file, new TextEncoder().encode(changed(file, () => changedJson(text, data, after))));
  });
}

/** Reads the servers in a file; empty if there is none. Rejects as `changeServers` does. */
export async function readServers(file: string, files: FileSystem = nodeFileSystem(false)): Promise<WrittenServers> {
  return serversIn((await read(file, files)).data, file);
}

/** Reads the servers in the user's file. */
export function readOwnServers(configFolder: string): Promise<WrittenServers> {
  return readServers(join(configFolder, OWN_SERVER_FILE));
}

function serversIn(data: WrittenServers, file: string): WrittenServers {
  const servers = data['mcpServers'] ?? {};
  if (isRecord(servers) && !Array.isArray(servers)) return servers;
  throw new EngineError('invalid-input', `${file}: “mcpServers” must be an object that maps names to servers.`);
}

async function read(file: string, files: FileSystem): Promise<ServerFileText> {
  if (!(await files.find(file))) return { text: '', data: {} };
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await files.readFile(file));
  if (text.trim() === '') return { text, data: {} };
  return changed(file, () => {
    const data: unknown = JSON.parse(plainJson(text));
    if (isRecord(data) && !Array.isArray(data)) return { text, data };
    throw new Error('it must be an object');
  });
}

function changed<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new EngineError(
      'invalid-input',
      `${file} cannot be changed (${errorText(error)}). Correct it, or write the server into it yourself.`,
    );
  }
}
