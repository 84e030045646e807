import { EngineError } from '../../engineError';
import type { FileSystem } from '../../ports';
import { ToolFailure } from '../toolFailure';
import { decodeText, type TextFile } from './formats/textFile';
import type { ResolvedPath } from './resolvePath';

/** Returns null if there is no such file. Throws ToolFailure for folders, files over 10 MB and files that are not text. */
export async function readTextFile(files: FileSystem, path: ResolvedPath): Promise<TextFile | null> {
  const bytes = await readFileBytes(files, path);
  return bytes && textOfFile(bytes, path.shown);
}

const MAX_BYTES = 10_000_000;

/** Returns null if there is no such file. Throws ToolFailure for folders and files over 10 MB. */
export async function readFileBytes(files: FileSystem, { absolute, shown }: ResolvedPath): Promise<Uint8Array | null> {
  try {
    const { kind, size } = await files.stat(absolute);
    if (kind === 'directory') throw new ToolFailure('failed', `${shown} is a folder. See what is in it with fs_ls.`);
    if (kind === 'other')
      throw new ToolFailure('failed', `${shown} is not a regular file, so it cannot be read or edited.`);
    if (size > MAX_BYTES) throw new ToolFailure('failed', tooBig(shown, size));
    return await files.readFile(absolute);
  } catch (error) {
    if (EngineError.is(error, 'not-found')) return null;
    throw error;
  }
}

function tooBig(shown: string, size: number): string {
  const megabytes = (size / 1_000_000).toFixed(1);
  return `${shown} is ${megabytes} MB, and the limit is 10 MB. Find what you need in it with execute_command (grep, head, tail).`;
}

/** Decodes a file. Throws ToolFailure if it is not text. */
export function textOfFile(bytes: Uint8Array, shown: string): TextFile {
  const file = decodeText(bytes);
  if (file) return file;
  throw new ToolFailure(
    'failed',
    `${shown} (${bytes.length} bytes) is binary, so it cannot be read or edited as text. Use execute_command with a program that knows the format.`,
  );
}
