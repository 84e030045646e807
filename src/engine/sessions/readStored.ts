import { EngineError } from '../engineError';
import type { FileSystem } from '../ports';

/**
 * Reads a file of a session. Throws EngineError `damaged` for a pipe or device, even behind a link, since reading it may never
 * end. Otherwise throws what the file system throws.
 */
export async function readStored(file: string, files: FileSystem): Promise<Uint8Array> {
  const found = await files.find(file);
  if (found?.kind === 'other')
    throw new EngineError('damaged', `${file} is not a regular file, so it was not read. Move it out of the folder.`);
  return files.readFile(file);
}
