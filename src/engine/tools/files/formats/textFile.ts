import { ToolFailure } from '../../toolFailure';
import { bytesFromText, foreignToWindows1252, textFromBytes, type TextEncoding } from './textEncoding';

/** A text as it is edited, without the mark that its file may begin with, and how it lies in the file. */
export interface TextFile {
  text: string;
  encoding: TextEncoding;
}

/** Null for bytes that are no text. What is not UTF-8 and has no mark is read as Windows-1252, which loses nothing. */
export function decodeText(bytes: Uint8Array): TextFile | null {
  const marked = encodingByMark(bytes);
  if (marked) {
    const text = textFromBytes(bytes, marked);
    return text === null ? null : { text, encoding: marked };
  }
  if (bytes.includes(0)) return null;
  const text = textFromBytes(bytes, 'UTF-8');
  if (text !== null) return { text, encoding: 'UTF-8' };
  if (bytes.some(isControl)) return null;
  return { text: textFromBytes(bytes, 'Windows-1252') ?? '', encoding: 'Windows-1252' };
}

/** The counterpart of `decodeText`. Throws ToolFailure when the encoding lacks a character. */
export function encodeText({ text, encoding }: TextFile): Uint8Array {
  const bytes = bytesFromText(text, encoding);
  if (bytes) return bytes;
  const sign = foreignToWindows1252(text) ?? '';
  throw new ToolFailure(
    'failed',
    `The file is in ${encoding}, which has no “${sign}”; nothing was written. Write it another way, such as an escape, or convert the file to UTF-8 first with execute_command.`,
  );
}

function encodingByMark([first, second, third]: Uint8Array): TextEncoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'UTF-8 with BOM';
  if (first === 0xff && second === 0xfe) return 'UTF-16 LE';
  if (first === 0xfe && second === 0xff) return 'UTF-16 BE';
  return undefined;
}

/** Signs that no text has; tab, the line ends, form feed and escape are in some. */
function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0x1b && (byte < 0x09 || byte > 0x0d);
}
