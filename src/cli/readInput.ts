import { fstatSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/**
 * The prompt of the arguments with standard input below it. A socket on standard input is what programs get that were
 * started by another and are not fed; it is read only when there is no other prompt.
 */
export async function readInput(prompt: string): Promise<string> {
  const piped = isFed(prompt === '') ? (await text(process.stdin)).trim() : '';
  return [prompt.trim(), piped].filter((part) => part !== '').join('\n\n');
}

function isFed(nothingElse: boolean): boolean {
  if (process.stdin.isTTY) return false;
  try {
    const stat = fstatSync(0);
    return stat.isFile() || stat.isFIFO() || (nothingElse && stat.isSocket());
  } catch {
    // Closed standard input: there is nothing to read.
    return false;
  }
}
