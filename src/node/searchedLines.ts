import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';

/** Files beyond this size are not searched. */
export const MAX_SEARCHED_BYTES = 10_000_000;
/** A file of this size is read in less time than another thread takes to be asked for it. */
const AT_ONCE_BYTES = 64 * 1024;

/** The lines of a text file; null for binary files, files that are too big, and files that cannot be read. */
export async function searchedLines(file: string): Promise<string[] | null> {
  return linesOf(await bytesOf(file));
}

/** The same at once, for a small file; undefined for one that is not. */
export function searchedLinesAtOnce(file: string): string[] | null | undefined {
  try {
    if (statSync(file).size > AT_ONCE_BYTES) return undefined;
    return linesOf(readFileSync(file));
  } catch {
    return null;
  }
}

function linesOf(bytes: Buffer | null): string[] | null {
  if (!bytes) return null;
  const text = textOf(bytes);
  if (text === null) return null;
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

async function bytesOf(file: string): Promise<Buffer | null> {
  try {
    return (await stat(file)).size > MAX_SEARCHED_BYTES ? null : await readFile(file);
  } catch {
    return null;
  }
}

/** A byte order mark names the encoding; without one it is UTF-8, and a zero byte means that it is no text. */
function textOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return bytes.includes(0) ? null : new TextDecoder().decode(bytes);
}
