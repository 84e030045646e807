import * as z from '../../../base/zod';
import type { SeenFile } from '../../messages/attachment';
import type { FileSystem, PathStyle } from '../../ports';
import { type AnyTool, defineTool } from '../tool';
import { ToolFailure, type ToolOutput } from '../toolOutput';
import { readImage } from './formats/imageType';
import { missingPath } from './missingPath';
import { numberedLine, readFileBytes, readTextFile, textLines, textOfFile } from './readTextFile';
import { type ResolvedPath, resolvePath } from './resolvePath';
import { seenLines } from './seenFiles';

const DEFAULT_LINES = 2000;
const MAX_BYTES = 50_000;
const MAX_LINE = 2000;

const input = z.strictObject({
  path: z.string().check(z.minLength(1)),
  offset: z.optional(z.int().check(z.minimum(1))).check(z.describe('First line, counted from 1')),
  limit: z.optional(z.int().check(z.minimum(1))).check(z.describe(`Number of lines, default ${DEFAULT_LINES}`)),
});
type Input = z.infer<typeof input>;

/** `fs_read`: returns a text file or a notebook as numbered lines, or an image. */
export function readFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<Input>({
    name: 'fs_read',
    description:
      'Reads a text file as numbered lines (number, tab, text), up to 2,000 lines or 50 kB, else it says how to continue; also pictures and notebooks. Read several files with several calls in one reply.',
    category: 'read',
    traits: { kind: 'files', doing: 'Reading', counted: 'file' },
    input,
    title: ({ path, offset, limit }) => `Read ${path}${rangeTitle(offset, limit)}`,
    permission: ({ path }) => ({ tool: 'fs_read', category: 'read', paths: [path] }),
    async run({ path, offset, limit = DEFAULT_LINES }, { workspace, looking }) {
      const resolved = resolvePath(paths, workspace, path);
      const bytes = await readFileBytes(files, resolved);
      if (!bytes) throw await missingPath(files, paths, workspace, resolved, 'file');
      const picture = await readImage(bytes, resolved.shown);
      if (picture) return picture;
      const { text } = textOfFile(bytes, resolved.shown);
      const notebook = /\.ipynb$/i.test(resolved.relative) ? await cellsOf(text) : null;
      const lines = textLines(notebook || text);
      const page = pageOf(resolved, lines, offset ?? 1, Math.min(limit, looking?.readLines ?? limit));
      // The source of a notebook is not shown, so its lines do not count as seen.
      return notebook ? page : { ...page, seen: await seenLines(files, resolved, text, givenWhole(page, lines)) };
    },
  });
}

async function cellsOf(text: string): Promise<string | null> {
  const { notebookText } = await import('./formats/notebookText');
  return notebookText(text);
}

function rangeTitle(offset = 1, limit?: number): string {
  if (limit !== undefined) return ` ${offset}–${offset + limit - 1}`;
  return offset > 1 ? ` from line ${offset}` : '';
}

function pageOf({ shown }: ResolvedPath, lines: readonly string[], first: number, limit: number): ToolOutput {
  if (lines.length === 0) {
    return { text: `${shown} is empty.`, detail: { kind: 'file', path: shown, firstLine: 1, lastLine: 0, text: '' } };
  }
  if (first > lines.length) {
    throw new ToolFailure('bad-arguments', `${shown} has ${lines.length} lines, so there is no line ${first}.`);
  }
  const page = fitting(lines.slice(first - 1, first - 1 + limit));
  const last = first + page.length - 1;
  const numbered = page.map((line, index) => numberedLine(first + index, line)).join('\n');
  const whole = first === 1 && last === lines.length;
  return {
    text: whole ? numbered : `${numbered}\n\n${whereWeAre(first, last, lines.length)}`,
    detail: { kind: 'file', path: shown, firstLine: first, lastLine: last, text: page.join('\n') },
  };
}

function whereWeAre(first: number, last: number, total: number): string {
  const here = `Lines ${first}-${last} of ${total}.`;
  return last < total ? `${here} Read on with offset ${last + 1}.` : here;
}

function givenWhole({ detail }: ToolOutput, lines: readonly string[]): SeenFile['lines'] {
  if (detail?.kind !== 'file') return [];
  const { firstLine, lastLine } = detail;
  const given = lines.slice(firstLine - 1, lastLine).map((line, index) => ({ line, at: firstLine + index }));
  const isCut = given.some(({ line }) => line.length > MAX_LINE);
  if (!isCut) return given.length === 0 ? [] : [{ first: firstLine, last: lastLine }];
  return given.flatMap(({ line, at }): SeenFile['lines'] => (line.length > MAX_LINE ? [] : [{ first: at, last: at }]));
}

/** Returns as many lines as fit the limit; very long lines are cut, so that at least one fits. */
function fitting(lines: readonly string[]): readonly string[] {
  const atMost = lines.reduce((sum, { length }) => sum + length * 3 + 8, 0);
  if (atMost <= MAX_BYTES && lines.every(({ length }) => length <= MAX_LINE)) return lines;
  const encoder = new TextEncoder();
  const page: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const cut =
      line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)} ... ${line.length - MAX_LINE} characters left out` : line;
    bytes += encoder.encode(cut).length + 8;
    if (bytes > MAX_BYTES) break;
    page.push(cut);
  }
  return page;
}

const MOST_OF_WHOLE = 100_000;

const catInput = z.strictObject({ path: z.string().check(z.minLength(1)) });
type CatInput = z.infer<typeof catInput>;

/** `fs_cat`: returns a whole text file unchanged. */
export function catFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<CatInput>({
    name: 'fs_cat',
    description: 'Returns a whole text file unchanged, without line numbers.',
    category: 'read',
    traits: { kind: 'files', doing: 'Reading', counted: 'file', isUnlisted: true },
    input: catInput,
    title: ({ path }) => `Read all of ${path}`,
    permission: ({ path }) => ({ tool: 'fs_cat', category: 'read', paths: [path] }),
    async run({ path }, { workspace }) {
      const resolved = resolvePath(paths, workspace, path);
      const file = await readTextFile(files, resolved);
      if (!file) throw await missingPath(files, paths, workspace, resolved, 'file');
      const { shown } = resolved;
      const text = file.text.slice(0, MOST_OF_WHOLE);
      const lines = textLines(text).length;
      return {
        text: text === '' ? `${shown} is empty.` : text + restOf(file.text, text, lines),
        detail: { kind: 'file', path: shown, firstLine: 1, lastLine: lines, text },
        seen: await seenLines(files, resolved, file.text, text === file.text ? undefined : range(1, lines - 1)),
      };
    },
  });
}

function range(first: number, last: number): { first: number; last: number }[] {
  return last < first ? [] : [{ first, last }];
}

function restOf(whole: string, shown: string, lines: number): string {
  const left = whole.length - shown.length;
  return left > 0
    ? `\n... ${left} characters left out. Read on with fs_read and offset ${shown.endsWith('\n') ? lines + 1 : lines}.`
    : '';
}
