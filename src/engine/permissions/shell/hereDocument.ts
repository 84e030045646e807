import type { PartBuilder } from './partBuilder';

/** A here-document of which the text comes with the next lines. */
export interface HereDocument {
  delimiter: string;
  /** Expanded by the shell, so that it may hold commands. */
  expands: boolean;
  stripsTabs: boolean;
  /** How deep the list stands in which it was opened. */
  depth: number;
  part: PartBuilder;
}

/** The text that begins at `from`, null when it has no end, and where the line behind it begins. */
export function hereDocumentText(
  source: string,
  from: number,
  { delimiter, stripsTabs }: HereDocument,
): { text: string | null; next: number } {
  for (let start = from; start < source.length;) {
    const found = source.indexOf('\n', start);
    const end = found === -1 ? source.length : found;
    const line = source.slice(start, end);
    const next = Math.min(end + 1, source.length);
    if ((stripsTabs ? line.replace(/^\t+/, '') : line) === delimiter) return { text: source.slice(from, start), next };
    start = next;
  }
  return { text: null, next: source.length };
}
