import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { decodeText } from '../engine';

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
    const stat = statSync(file);
    // A pipe, a device or a socket may have no end.
    if (!stat.isFile()) return null;
    if (stat.size > AT_ONCE_BYTES) return undefined;
    return linesOf(readFileSync(file));
  } catch {
    return null;
  }
}

function linesOf(bytes: Buffer | null): string[] | null {
  if (!bytes) return null;
  // As the tools that read it do, so that what is seen there is found.
  const text = decodeText(bytes)?.text;
  if (text === undefined) return null;
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

async function bytesOf(file: string): Promise<Buffer | null> {
  try {
    const found = await stat(file);
    return found.isFile() && found.size <= MAX_SEARCHED_BYTES ? await readFile(file) : null;
  } catch {
    return null;
  }
}
