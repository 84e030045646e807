import { withoutLineNumbers } from '../numberedLine';
import { replaceText, type Replacement } from './replaceText';

/** What an exact replacement was asked for with. */
export interface WantedEdit {
  old: string;
  now: string;
  all: boolean;
}

export interface MeantEdit {
  replacement: Replacement;
  /** How it was read, for the model, where it was not taken as it was written; empty else. */
  note: string;
}

/**
 * The replacement as it was written, else with the slips that models make taken out of both texts: line numbers that
 * belong to what `fs_read` shows, and escapes that were written twice. A slip counts as one only when the text without it
 * stands in the file.
 */
export function meantEdit(text: string, { old, now, all }: WantedEdit): MeantEdit {
  const written = replaceText(text, old, now, all);
  if (written.kind !== 'missing') return { replacement: written, note: '' };
  for (const [read, note] of [
    [withoutLineNumbers, 'The line numbers in old_string were left out; copy the text without them.'],
    [unescaped, 'The escapes in old_string were read once more; write line breaks and tabs as themselves.'],
  ] as const) {
    const plain = read(old);
    if (plain === old || plain === '') continue;
    const replacement = replaceText(text, plain, read(now), all);
    if (replacement.kind !== 'missing') return { replacement, note };
  }
  return { replacement: written, note: '' };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '\\': '\\' };

/** Only a text that has them instead of line breaks: in one that has both they are meant. */
function unescaped(text: string): string {
  if (text.includes('\n')) return text;
  return text.replace(/\\([nrt"'\\])/g, (_, sign: string) => ESCAPES[sign] ?? sign);
}
