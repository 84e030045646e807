import { readFileSync, statSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { decodeText } from '../engine';

/** Larger files are not searched. */
export const MAX_SEARCHED_BYTES = 10_000_000;
/** Reading a file of this size synchronously is faster than a round trip to the thread pool. */
const AT_ONCE_BYTES = 64 * 1024;

/** Reads the lines of a text file; null for binary, oversized, and unreadable files. */
export async function searchedLines(file: string): Promise<string[] | null> {
  return linesOf(await bytesOf(file));
}

/** Does the same synchronously for a small file; undefined for a larger one. */
export function searchedLinesAtOnce(file: string): string[] | null | undefined {
  try {
    const stat = statSync(file);
    // A pipe, device or socket may never end.
    if (!stat.isFile()) return null;
    if (stat.size > AT_ONCE_BYTES) return undefined;
    return linesOf(readFileSync(file));
  } catch {
    return null;
  }
}

function linesOf(bytes: Buffer | null): string[] | null {
  if (!bytes) return null;
  // Decoded as the tools that read files do, so that whatever they show can be found.
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
