import { ToolFailure } from '../../toolFailure';
import { decodeText, type TextFile } from './textFile';

/** The text of a file; what is none is refused in words. */
export function textOfFile(bytes: Uint8Array, shown: string): TextFile {
  const file = decodeText(bytes);
  if (file) return file;
  throw new ToolFailure(
    'failed',
    `${shown} (${bytes.length} bytes) is binary, so it cannot be read or edited as text. Use execute_command with a program that knows the format.`,
  );
}
