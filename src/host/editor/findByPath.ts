/**
 * The one of these with this path: as it is written, else where the machine takes names that differ in case only, such as the
 * letter of a drive, for the same.
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
