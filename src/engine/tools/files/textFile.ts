const BYTE_ORDER_MARK = '\uFEFF';

/** A text as it is edited: without the byte order mark that the file may carry. */
export interface TextFile {
  text: string;
  byteOrderMark: boolean;
}

/** Null for bytes that are not UTF-8 text: invalid sequences, or a zero byte. */
export function decodeText(bytes: Uint8Array): TextFile | null {
  if (bytes.includes(0)) return null;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
  const byteOrderMark = text.startsWith(BYTE_ORDER_MARK);
  return { text: byteOrderMark ? text.slice(1) : text, byteOrderMark };
}

/** The counterpart of `decodeText`; a mark that the text already begins with is not doubled. */
export function encodeText({ text, byteOrderMark }: TextFile): Uint8Array {
  const marked = byteOrderMark && !text.startsWith(BYTE_ORDER_MARK);
  return new TextEncoder().encode(marked ? BYTE_ORDER_MARK + text : text);
}
