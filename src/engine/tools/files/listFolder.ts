import { EngineError } from '../../engineError';
import type { DirectoryEntry, FileSystem, PathStyle } from '../../ports';
import type { ToolContext } from '../toolContext';
import { ToolFailure, type ToolOutput } from '../toolOutput';
import { missingPath } from './missingPath';
import { listedName, type ResolvedPath, resolvePath } from './resolvePath';

const MAX_ENTRIES = 500;

/** Lists one folder, as text. */
export async function listFolder(
  path: string,
  { workspace }: ToolContext,
  { files, paths }: { files: FileSystem; paths: PathStyle },
): Promise<ToolOutput> {
  const resolved = resolvePath(paths, workspace, path);
  const entries = await entriesOf(files, resolved);
  if (!entries) throw await missingPath(files, paths, workspace, resolved, 'folder');
  const text = await listing(files, paths, resolved, entries);
  return { text, detail: { kind: 'text', text } };
}

async function entriesOf(files: FileSystem, { absolute, shown }: ResolvedPath): Promise<DirectoryEntry[] | null> {
  try {
    return await files.readDirectory(absolute);
  } catch (error) {
    if (EngineError.is(error, 'not-found')) return null;
    if (!EngineError.is(error, 'not-directory')) throw error;
    throw new ToolFailure('failed', `${shown} is a file. Read it with fs_read.`);
  }
}

async function listing(
  files: FileSystem,
  paths: PathStyle,
  { absolute, shown }: ResolvedPath,
  entries: readonly DirectoryEntry[],
): Promise<string> {
  if (entries.length === 0) return `${shown} is empty.`;
  const rows = entries
    .toSorted((a, b) => Number(b.kind === 'directory') - Number(a.kind === 'directory') || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_ENTRIES)
    .map((entry) => row(files, paths.resolve(absolute, entry.name), entry));
  const lines = await Promise.all(rows);
  if (entries.length > MAX_ENTRIES) {
    lines.push(`... ${entries.length - MAX_ENTRIES} more of ${entries.length} entries. Narrow it down with fs_glob.`);
  }
  return lines.join('\n');
}

async function row(files: FileSystem, path: string, { name: written, kind }: DirectoryEntry): Promise<string> {
  const name = listedName(written);
  if (kind === 'directory') return `${name}/`;
  try {
    const stat = await files.stat(path);
    const link = kind === 'symlink' ? ' (link)' : '';
    return stat.kind === 'directory' ? `${name}/${link}` : `${name}${sizeText(stat.size)}${link}`;
  } catch (error) {
    if (EngineError.is(error)) return `${name}  ${kind === 'symlink' ? '(broken link)' : '(unreadable)'}`;
    throw error;
  }
}

/**
 * Returns a size for empty files, and for files so large that reading them whole may be unwise; nothing for others, since every
 * word costs tokens.
 */
function sizeText(bytes: number): string {
  if (bytes === 0) return '  0 B';
  if (bytes < 10_000) return '';
  if (bytes < 1_000_000) return `  ${Math.round(bytes / 1000)} kB`;
  return `  ${(bytes / 1_000_000).toFixed(1)} MB`;
}
