import { linesOf } from '../editor/linesOf';
import { withHunks } from './lineDifferences';
import { FileContent, type TextForm } from './fileContent';
import { ReviewedFile } from './reviewedFile';
import type { ReviewLayer, ReviewTurn } from './reviewLayers';

/** A turn of a file in its stored form. Only differences from the next version are stored, so that many turns take little space. */
interface StoredLayer extends ReviewTurn {
  /** Null if the file did not exist; a string contains its bytes in Base64. */
  before: StoredDifference | string | null;
  kept: boolean;
}

interface StoredDifference extends TextForm {
  /** Each change says which lines replace `start` up to but not including `end` to restore the text before the turn. */
  changes: StoredChange[];
}

interface StoredFile {
  path: string;
  now: string | null;
  layers: StoredLayer[];
}

type StoredChange = [start: number, end: number, lines: readonly string[]];

export function storedFiles(files: readonly ReviewedFile[]): StoredFile[] {
  return files.map((file) => ({ path: file.path, now: file.text, layers: storedLayers(file) }));
}

/** The inverse of `storedFiles`. Skips invalid entries. Throws if the value is not an array. */
export function filesOf(stored: unknown): ReviewedFile[] {
  if (!Array.isArray(stored)) throw new Error('It is not a list.');
  return stored.filter(isStoredFile).map(({ path, now, layers }) => new ReviewedFile(path, now, layersOf(layers, now)));
}

export function storedLayers(file: ReviewedFile): StoredLayer[] {
  return file.layers.map(({ turn, base, kept }, index) => {
    const { lines, form } = base;
    const change = lines && form ? file.changesOf(index) : null;
    if (!lines || !form || !change) return { ...turn, kept, before: base64(base) };
    const changes = change.map(({ oldStart, oldEnd, newStart, newEnd }): StoredChange => {
      return [newStart, newEnd, lines.slice(oldStart, oldEnd)];
    });
    return { ...turn, kept, before: { ...form, changes } };
  });
}

/** The inverse of `storedLayers`; `now` is the file's text at the time of storing. */
export function layersOf(stored: readonly StoredLayer[], now: string | null): ReviewLayer[] {
  const layers: ReviewLayer[] = [];
  let above: readonly string[] | null = now === null ? null : linesOf(now);
  for (const { before, kept, ...turn } of stored.toReversed()) {
    const base = contentOf(before, above ?? []);
    layers.unshift({ turn, kept, base });
    above = base.lines;
  }
  return layers;
}

function isStoredFile(value: unknown): value is StoredFile {
  if (typeof value !== 'object' || value === null) return false;
  const { path, now, layers }: Partial<Record<string, unknown>> = { ...value };
  return (
    typeof path === 'string' &&
    (now === null || typeof now === 'string') &&
    Array.isArray(layers) &&
    layers.every(isStoredLayer)
  );
}

function isStoredLayer(value: unknown): value is StoredLayer {
  if (typeof value !== 'object' || value === null) return false;
  const { before, kept, sessionId, runId, title }: Partial<Record<string, unknown>> = { ...value };
  const words = [sessionId, runId, title];
  return isStoredBefore(before) && typeof kept === 'boolean' && words.every((one) => typeof one === 'string');
}

function base64({ bytes }: FileContent): string | null {
  return bytes && Buffer.from(bytes).toString('base64');
}

function contentOf(before: StoredLayer['before'], above: readonly string[]): FileContent {
  if (before === null) return FileContent.absent;
  if (typeof before === 'string') return FileContent.ofBytes(new Uint8Array(Buffer.from(before, 'base64')));
  const { changes, encoding, ending } = before;
  const earlier = changes.flatMap(([, , lines]) => lines);
  let at = 0;
  const hunks = changes.map(([oldStart, oldEnd, { length }]) => {
    return { oldStart, oldEnd, newStart: at, newEnd: (at += length) };
  });
  return FileContent.ofLines(withHunks(above, earlier, hunks), { encoding, ending });
}

const ENCODINGS: Record<TextForm['encoding'], true> = {
  'UTF-8': true,
  'UTF-8 with BOM': true,
  'UTF-16 LE': true,
  'UTF-16 BE': true,
  'Windows-1252': true,
};

function isStoredBefore(value: unknown): value is StoredLayer['before'] {
  if (value === null || typeof value === 'string') return true;
  if (typeof value !== 'object') return false;
  const { changes, encoding, ending }: Partial<Record<string, unknown>> = { ...value };
  const isForm = typeof encoding === 'string' && encoding in ENCODINGS && (ending === '\n' || ending === '\r\n');
  return isForm && Array.isArray(changes) && changes.every(isStoredChange);
}

function isStoredChange(value: unknown): value is StoredChange {
  if (!Array.isArray(value)) return false;
  const change: unknown[] = value;
  const [start, end, lines] = change;
  return isCount(start) && isCount(end) && Array.isArray(lines) && lines.every((line) => typeof line === 'string');
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
