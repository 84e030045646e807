import { EngineError } from '../../engineError';
import type { FileSystem } from '../../ports';
import { ToolFailure } from '../toolOutput';
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

/** Returns the lines of a text without their endings; a final line ending does not begin another line. */
export function textLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Formats a line as a model reads it: number, tab, text. The result is ASCII if the text is: a single other character would
 * double the memory of a whole request, and the time to send it.
 */
export function numberedLine(number: number, text: string): string {
  return `${number}\t${text}`;
}

/** Removes the line numbers that a text was read with, including the format in older sessions. */
export function withoutLineNumbers(text: string): string {
  return text.replace(/^[^\S\n]*\d+[\t→]/gm, '');
}

type LineEnding = '\n' | '\r\n';

/** Returns the most common line ending of a text; `\n` if there is none. */
export function lineEndingOf(text: string): LineEnding {
  let all = 0;
  let windows = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    all++;
    if (text[at - 1] === '\r') windows++;
  }
  return windows * 2 > all ? '\r\n' : '\n';
}

/** Returns the text with this line ending throughout. */
export function withLineEnding(text: string, ending: LineEnding): string {
  return text.replace(/\r?\n/g, ending);
}
