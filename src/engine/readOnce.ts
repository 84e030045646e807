import type { FileSystem } from './ports';

type Reading = Pick<FileSystem, 'readFile' | 'stat' | 'realPath'>;

/** By the file system they were read from. */
const known = new WeakMap<FileSystem, Map<string, { stamp: string; bytes: Promise<Uint8Array> }>>();

/**
 * Returns a way to read files of which several parts of Cairn read a part each: as long as such a file does not change, it is read
 * once for all of them.
 */
export function readOnce(files: FileSystem): Reading {
  const all = known.get(files) ?? new Map<string, { stamp: string; bytes: Promise<Uint8Array> }>();
  known.set(files, all);
  return {
    stat: (path) => files.stat(path),
    realPath: (path) => files.realPath(path),
    async readFile(path) {
      const { modifiedAt, size } = await files.stat(path);
      const stamp = `${modifiedAt} ${size}`;
      const before = all.get(path);
      if (before?.stamp === stamp) return before.bytes;
      const bytes = files.readFile(path);
      all.set(path, { stamp, bytes });
      // Whoever asks next tries again.
      bytes.catch(() => all.delete(path));
      return bytes;
    },
  };
}
