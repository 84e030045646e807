import type { FileSystem, PathStyle } from '../ports';

/** What makes Git take a folder for a repository; the parts of one may be elsewhere. */
const PARTS = ['objects', 'refs'];

/**
 * Resolves to the repository without a working tree that Git would find from a folder of the workspace upwards. Its files have names
 * that are not protected, so anything may have written its settings and hooks.
 */
export async function bareRepository(
  from: string,
  workspace: string,
  { files, paths }: { files: FileSystem; paths: PathStyle },
): Promise<string | undefined> {
  const has = async (folder: string, name: string) => (await files.find(paths.resolve(folder, name))) !== undefined;
  const isBare = async (folder: string) => {
    if (!(await has(folder, 'HEAD'))) return false;
    const all = await Promise.all(PARTS.map((name) => has(folder, name)));
    return all.every(Boolean) || has(folder, 'commondir');
  };
  for (let folder = from; !paths.relative(workspace, folder).startsWith('..'); folder = paths.dirname(folder)) {
    if (await has(folder, '.git')) return undefined;
    if (await isBare(folder)) return folder;
    if (folder === workspace || folder === paths.dirname(folder)) return undefined;
  }
  return undefined;
}
