import { errorText } from '../../base/errorText';
import { EngineError } from '../engineError';
import type { FileSystem } from '../ports';
import { decodeText } from '../tools/files/formats/textFile';
import type { ContentProblem } from './contentProblem';

/** A file as text, or why it is none. */
export async function readText(path: string, files: FileSystem): Promise<string | ContentProblem> {
  try {
    return decodeText(await files.readFile(path))?.text ?? notText(path);
  } catch (error) {
    return readProblem(path, error);
  }
}

/** Of a file or folder that could not be read. Throws what is no expected failure. */
export function readProblem(path: string, error: unknown): ContentProblem {
  if (!EngineError.is(error)) throw error;
  return { kind: 'io', severity: 'error', path, line: 1, column: 1, message: errorText(error) };
}

/** Of a file that holds something else. */
export function notText(path: string): ContentProblem {
  const message = 'This is no text. Write it as a text file in UTF-8.';
  return { kind: 'io', severity: 'error', path, line: 1, column: 1, message };
}
