import { ToolFailure } from '../../toolOutput';

/** The encoding of a file, named as a user would name it. */
type TextEncoding = 'UTF-8' | 'UTF-8 with BOM' | 'UTF-16 LE' | 'UTF-16 BE' | 'Windows-1252';

/** A text as it is edited, without a byte order mark, and the encoding of its file. */
export interface TextFile {
  text: string;
  encoding: TextEncoding;
}

/**
 * Returns null for bytes that are not text. Anything that is not UTF-8 and has no byte order mark is read as Windows-1252, which
 * loses nothing.
 */
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

/** The inverse of `decodeText`. Throws ToolFailure if the encoding lacks a character. */
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

/** Control characters that no text contains; tab, line ends, form feed and escape may occur. */
function isControl(byte: number): boolean {
  return byte < 0x20 && byte !== 0x1b && (byte < 0x09 || byte > 0x0d);
}

const BYTE_ORDER_MARK = '\uFEFF';

/** The characters for the bytes 0x80 to 0x9f in Windows-1252; its five undefined bytes map to themselves. */
const WINDOWS_1252 =
  '\u20ac\u0081\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\u008d\u017d\u008f' +
  '\u0090\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\u009d\u017e\u0178';

/** Decodes bytes, without the byte order mark; null if they are invalid in this encoding. */
function textFromBytes(bytes: Uint8Array, encoding: TextEncoding): string | null {
  switch (encoding) {
    case 'UTF-8':
    case 'UTF-8 with BOM':
      return decoded('utf-8', bytes);
    case 'UTF-16 LE':
      return decoded('utf-16le', bytes);
    case 'UTF-16 BE':
      return bytes.length % 2 === 0 ? decoded('utf-16le', swapped(bytes)) : null;
    case 'Windows-1252':
      return fromWindows1252(bytes);
  }
}

/** Encodes a text, with the byte order mark; null if the encoding lacks a character. */
function bytesFromText(text: string, encoding: TextEncoding): Uint8Array | null {
  const marked = text.startsWith(BYTE_ORDER_MARK) ? text : BYTE_ORDER_MARK + text;
  switch (encoding) {
    case 'UTF-8':
      return new TextEncoder().encode(text);
    case 'UTF-8 with BOM':
      return new TextEncoder().encode(marked);
    case 'UTF-16 LE':
      return utf16(marked);
    case 'UTF-16 BE':
      return swapped(utf16(marked));
    case 'Windows-1252':
      return toWindows1252(text);
  }
}

/** Returns the first character that Windows-1252 lacks. */
function foreignToWindows1252(text: string): string | undefined {
  for (const sign of text) if (windows1252Byte(sign) === undefined) return sign;
  return undefined;
}

function decoded(label: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function swapped(bytes: Uint8Array): Uint8Array {
  return bytes.map((_, at) => bytes[at ^ 1] ?? 0);
}

function utf16(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    bytes[2 * at] = unit & 0xff;
    bytes[2 * at + 1] = unit >> 8;
  }
  return bytes;
}

function fromWindows1252(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return parts.join('').replace(/[\u0080-\u009f]/g, (sign) => WINDOWS_1252.charAt(sign.charCodeAt(0) - 0x80));
}

function toWindows1252(text: string): Uint8Array | null {
  const bytes: number[] = [];
  for (const sign of text) {
    const byte = windows1252Byte(sign);
    if (byte === undefined) return null;
    bytes.push(byte);
  }
  return Uint8Array.from(bytes);
}

function windows1252Byte(sign: string): number | undefined {
  const place = WINDOWS_1252.indexOf(sign);
  if (place >= 0) return 0x80 + place;
  const code = sign.codePointAt(0) ?? 0;
  return code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : undefined;
}
