import { EngineError } from '../../engineError';
import type { DirectoryEntry, FileSystem, PathStyle } from '../../ports';
import type { ToolContext } from '../toolContext';
import { ToolFailure, type ToolOutput } from '../toolOutput';
import { missingPath } from './missingPath';
import { type ResolvedPath, resolvePath } from './resolvePath';

/** More files than are ever kept; anything beyond that in a folder is not listed. */
const MAX_LISTED = 2000;

interface Place {
  files: FileSystem;
  paths: PathStyle;
}

/** Removes a file, or a folder with everything in it if that is requested. */
export async function removePath(
  { path, recursive = false }: { path: string; recursive?: boolean | undefined },
  { workspace }: ToolContext,
  { files, paths }: Place,
): Promise<ToolOutput> {
  const resolved = resolvePath(paths, workspace, path);
  if (holdsWorkspace(paths, resolved, workspace)) {
    throw new ToolFailure('failed', `${resolved.shown} is the workspace or holds it; it is never removed.`);
  }
  const kind = await kindOf(files, paths, resolved);
  if (kind === null) throw await missingPath(files, paths, workspace, resolved, 'file');
  if (kind === 'directory') await checkFolder(files, resolved, recursive);
  const text = `Removed ${resolved.shown}${await removeIt(files, resolved.absolute)}.`;
  return { text, detail: { kind: 'text', text } };
}

/** Returns the files that are removed with a path: the file itself, or those in the folder. */
export function removedFiles(path: string, { workspace }: ToolContext, { files, paths }: Place): Promise<string[]> {
  return filesBelow(files, paths, resolvePath(paths, workspace, path).absolute);
}

function holdsWorkspace(paths: PathStyle, { absolute }: ResolvedPath, workspace: string): boolean {
  const down = paths.relative(absolute, workspace);
  return down === '' || down === '.' || !(down === '..' || down.startsWith('../'));
}

/** Returns the kind of a link itself, not of its target. */
async function kindOf(
  files: FileSystem,
  paths: PathStyle,
  { absolute }: ResolvedPath,
): Promise<DirectoryEntry['kind'] | null> {
  try {
    const siblings = await files.readDirectory(paths.dirname(absolute));
    const found = siblings.find(({ name }) => name === paths.basename(absolute));
    // On some systems a name in different case is the same file.
    return found?.kind ?? (await files.stat(absolute)).kind;
  } catch (error) {
    if (EngineError.is(error, 'not-found') || EngineError.is(error, 'not-directory')) return null;
    throw error;
  }
}

async function checkFolder(files: FileSystem, { absolute, shown }: ResolvedPath, recursive: boolean): Promise<void> {
  const entries = await files.readDirectory(absolute);
  if (!recursive) {
    const holds = entries.length === 1 ? '1 entry' : `${entries.length} entries`;
    throw new ToolFailure('failed', `${shown} is a folder with ${holds}. Set recursive to remove it with all of them.`);
  }
}

/** Returns the file itself, or the files in the folder; links do not count as files. */
async function filesBelow(files: FileSystem, paths: PathStyle, path: string): Promise<string[]> {
  const entries = await files.readDirectory(path).catch((error: unknown) => {
    if (EngineError.is(error)) return null;
    throw error;
  });
  if (!entries) return (await isFile(files, path)) ? [path] : [];
  const found: string[] = [];
  for (const { name, kind } of entries) {
    const below = paths.resolve(path, name);
    if (kind === 'file') found.push(below);
    else if (kind === 'directory') found.push(...(await filesBelow(files, paths, below)));
    if (found.length > MAX_LISTED) return found.slice(0, MAX_LISTED);
  }
  return found;
}

async function isFile(files: FileSystem, path: string): Promise<boolean> {
  return files.stat(path).then(
    ({ kind }) => kind === 'file',
    () => false,
  );
}

/** Removes the path and returns where it went, in words. */
async function removeIt(files: FileSystem, path: string): Promise<string> {
  if (files.trash) {
    await files.trash(path);
    return '; it is in the trash';
  }
  await files.remove(path);
  return ' for good: there is no trash here';
}
