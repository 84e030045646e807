import { fstatSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { isatty } from 'node:tty';
import { decodeText } from '../engine';
import { UsageError } from './usageError';

/**
 * The prompt of the arguments with standard input below it. A socket on standard input is what programs get that were
 * started by another and are not fed; it is read only when there is no other prompt. Throws UsageError when what comes is no text.
 */
export async function readInput(prompt: string): Promise<string> {
  const piped = isFed(prompt === '') ? textOf(await buffer(process.stdin)).trim() : '';
  return [prompt.trim(), piped].filter((part) => part !== '').join('\n\n');
}

/** In any encoding that is read in files too. */
function textOf(bytes: Uint8Array): string {
  const decoded = decodeText(bytes);
  if (decoded) return decoded.text;
  throw new UsageError(
    `standard input (${bytes.length} bytes) is binary, so it cannot be part of a prompt. Save it as a file and name that, or pipe in text.`,
  );
}

function isFed(nothingElse: boolean): boolean {
  if (isatty(0)) return false;
  try {
    const stat = fstatSync(0);
    return stat.isFile() || stat.isFIFO() || (nothingElse && stat.isSocket());
  } catch {
    // Closed standard input: there is nothing to read.
    return false;
  }
}
