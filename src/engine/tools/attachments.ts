import { clipEnd } from '../../base/truncate';
import {
  type Attachment,
  type AttachmentSource,
  MAX_ATTACHED_BYTES,
  NAMED_ONLY,
  textAttachment,
} from '../messages/attachment';
import type { FileSearch, FileSystem, PathStyle, Web } from '../ports';
import { readImage } from './files/formats/imageType';
import { missingPath } from './files/missingPath';
import { numberedLine, readFileBytes, textLines, textOfFile } from './files/readTextFile';
import { type ResolvedPath, resolvePath } from './files/resolvePath';
import { seenLines } from './files/seenFiles';

export interface AttachedFile {
  kind: 'file' | 'symbol' | 'selection';
  label: string;
  /** Relative to the workspace, or absolute. */
  path: string;
  /** From 1; the whole file if missing. */
  lines?: { first: number; last: number };
}

/** Reads a file, or some of its lines, to attach to a message. Throws a sentence for the user if it cannot be read. */
export async function attachFile(
  { files, paths }: { files: FileSystem; paths: PathStyle },
  workspace: string,
  file: AttachedFile,
): Promise<Attachment> {
  const resolved = resolvePath(paths, workspace, file.path);
  const { kind, label, lines } = file;
  const size = await files.stat(resolved.absolute).then(
    (stat) => (stat.kind === 'file' ? stat.size : 0),
    () => 0,
  );
  if (size > 5_000_000 || (size > MAX_ATTACHED_BYTES && !lines && !IMAGE.test(file.path))) {
    return named({ kind, label }, resolved, `${Math.ceil(size / 1000)} kB`);
  }
  const bytes = await readFileBytes(files, resolved);
  if (!bytes) throw await missingPath(files, paths, workspace, resolved, 'file');
  const picture = (await readImage(bytes, resolved.shown))?.images?.[0];
  if (picture) return { type: 'image', image: picture, label };
  const { text } = textOfFile(bytes, resolved.shown);
  const notebook = /\.ipynb$/i.test(file.path) ? await cellsOf(text) : null;
  const all = textLines(notebook || text);
  const { first, last } = lines ?? { first: 1, last: all.length };
  const chosen = all.slice(first - 1, last);
  const contents = chosen.map((line, index) => numberedLine(first + index, line)).join('\n');
  if (contents.length > 2 * MAX_ATTACHED_BYTES) return named({ kind, label }, resolved, `${all.length} lines`);
  const place = lines ? `${resolved.shown}, lines ${first}-${Math.min(last, all.length)}` : resolved.shown;
  // The source of a notebook is not shown, so its lines do not count as seen.
  const end = first - 1 + chosen.length;
  const seen = notebook
    ? {}
    : { seen: await seenLines(files, resolved, text, end < first ? [] : [{ first, last: end }]) };
  return textAttachment({ kind, label, ...seen }, place, contents);
}

const IMAGE = /\.(png|jpe?g|gif|webp)$/i;

async function cellsOf(text: string): Promise<string | null> {
  const { notebookText } = await import('./files/formats/notebookText');
  return notebookText(text);
}

function named(source: AttachmentSource, { shown }: ResolvedPath, size: string): Attachment {
  const words = `(${size}, too long to be here whole. Read what you need of it with fs_read and fs_grep.)`;
  return textAttachment({ ...source, note: NAMED_ONLY }, shown, words);
}

const MAX_NAMES = 300;

/** Lists the files below a folder, to attach to a message. */
export async function attachFolder(
  { search, paths }: { search: FileSearch; paths: PathStyle },
  workspace: string,
  folder: { label: string; path: string },
  signal: AbortSignal,
): Promise<Attachment> {
  const { absolute, shown } = resolvePath(paths, workspace, folder.path);
  const found = await search.glob({ root: absolute, include: '**', limit: MAX_NAMES }, signal);
  const names = found.paths.map((path) => paths.relative(absolute, path));
  const more = found.complete ? [] : [`(the first ${MAX_NAMES} files; find others with fs_glob)`];
  const contents = names.length === 0 ? '(no files)' : [...names, ...more].join('\n');
  return textAttachment({ kind: 'folder', label: folder.label }, `the folder ${shown}`, contents);
}

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 10_000_000;
const MAX_CHARACTERS = 40_000;
const MAX_TITLE = 200;

/** Fetches a page, to attach to a message. Throws a sentence for the user if there is nothing to read. */
export async function attachPage(web: Web, url: string, label: string, signal: AbortSignal): Promise<Attachment> {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  // The user named this host; where it redirects to is another matter.
  const allowsPrivate = (one: string) => Promise.resolve(one === host);
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
  const response = await web.get({ url, ...limits, allowsPrivate }, signal);
  if (response.status >= 400) throw new Error(`${url} answers with status ${response.status}.`);
  const picture = (await readImage(response.body, response.url))?.images?.[0];
  if (picture) return { type: 'image', image: picture, label };
  const { pageText } = await import('./web/pageText');
  const { title, text } = await pageText(response, web, signal);
  const shown = text.slice(0, MAX_CHARACTERS);
  const cut = shown.length < text.length;
  const contents = cut ? `${shown}\n(the rest is left out; fetch_url gives it)` : shown;
  const source = title === '' ? response.url : `${response.url} (${clipEnd(title, MAX_TITLE)})`;
  return textAttachment({ kind: 'page', label, ...(cut && { note: 'The beginning of it' }) }, source, contents);
}
