import { type Attachment, textAttachment } from '../../messages/attachment';
import type { FileSearch, PathStyle } from '../../ports';
import { resolvePath } from '../files/resolvePath';

const MAX_NAMES = 300;

/** The names of the files below a folder, to go with a message. */
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
