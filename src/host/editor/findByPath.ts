/**
 * Finds the item with this path: an exact match, otherwise, on platforms whose file names are case-insensitive, one that differs
 * only in case, such as in the drive letter.
 */
export function findByPath<T extends { uri: { fsPath: string } }>(
  all: readonly T[],
  path: string,
  platform: NodeJS.Platform = process.platform,
): T | undefined {
  const exact = all.find(({ uri }) => uri.fsPath === path);
  if (exact || (platform !== 'win32' && platform !== 'darwin')) return exact;
  const folded = (one: string) => {
    const slashed = platform === 'win32' ? one.replaceAll('/', '\\') : one;
    return slashed.normalize('NFC').toLowerCase();
  };
  return all.find(({ uri }) => folded(uri.fsPath) === folded(path));
}
