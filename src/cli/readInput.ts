import { fstatSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { attachedText } from './attachedText';

/**
 * The prompt of the arguments with standard input and the files and pages that were named below it. A socket on standard input is what programs get that were
 * started by another and are not fed; it is read only when there is no other prompt.
 */
export async function readInput(prompt: string, files: readonly string[]): Promise<string> {
  const piped = isFed(prompt === '') ? (await text(process.stdin)).trim() : '';
  const attached = await Promise.all(files.map(attachedText));
  return [prompt.trim(), piped, ...attached].filter((part) => part !== '').join('\n\n');
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
