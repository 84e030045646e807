import { errorText } from '../../base/errors';
import { EngineError } from '../engineError';
import type { FileSystem } from '../ports';
import { decodeText } from '../tools/files/formats/textFile';
import type { ContentProblem } from './contentProblem';

const MAX_BYTES = 1024 * 1024;

/** Reads a file as text, or returns the problem that prevents it. */
export async function readText(path: string, files: Pick<FileSystem, 'readFile'>): Promise<string | ContentProblem> {
  try {
    const bytes = await files.readFile(path);
    if (bytes.length > MAX_BYTES) return problemOf(path, 'This is too long for instructions. Keep it below 1 MB.');
    return decodeText(bytes)?.text ?? notText(path);
  } catch (error) {
    return readProblem(path, error);
  }
}

/** Returns the problem for an unreadable file or folder. Rethrows unexpected errors. */
export function readProblem(path: string, error: unknown): ContentProblem {
  if (!EngineError.is(error)) throw error;
  return problemOf(path, errorText(error));
}

/** Returns the problem for a file that is not text. */
export function notText(path: string): ContentProblem {
  return problemOf(path, 'This is not a text file. Save it as UTF-8 text.');
}

function problemOf(path: string, message: string): ContentProblem {
  return { kind: 'io', severity: 'error', path, line: 1, column: 1, message };
}
