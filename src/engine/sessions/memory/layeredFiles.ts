import type { FileSystem } from '../../ports';

/** Files of a disk, and those of which `isInMemory` is true in memory. */
export function layeredFiles(disk: FileSystem, memory: FileSystem, isInMemory: (path: string) => boolean): FileSystem {
  const of = (path: string) => (isInMemory(path) ? memory : disk);
  return {
    readFile: (path) => of(path).readFile(path),
    writeFile: (path, bytes) => of(path).writeFile(path, bytes),
    appendFile: (path, text) => of(path).appendFile(path, text),
    appendLine: (path, line) => of(path).appendLine(path, line),
    stat: (path) => of(path).stat(path),
    find: (path) => of(path).find(path),
    readDirectory: (path) => of(path).readDirectory(path),
    makeDirectory: (path) => of(path).makeDirectory(path),
    remove: (path) => of(path).remove(path),
    lock: (path) => of(path).lock(path),
    isLocked: (path) => of(path).isLocked(path),
    exclusively: (lock, work) => of(lock).exclusively(lock, work),
    realPath: (path) => of(path).realPath(path),
    inTurn: (paths, work, signal) => {
      const onDisk = paths.filter((path) => !isInMemory(path));
      return onDisk.length > 0 ? disk.inTurn(onDisk, work, signal) : memory.inTurn(paths, work, signal);
    },
    ...(disk.digest && { digest: disk.digest }),
    ...(disk.trash && {
      trash: (path: string) => (isInMemory(path) ? memory.remove(path) : (disk.trash?.(path) ?? Promise.resolve())),
    }),
    ...(disk.watch && {
      watch: (folder: string, onChange: () => void) =>
        (isInMemory(folder) ? undefined : disk.watch?.(folder, onChange)) ?? { dispose: () => undefined },
    }),
  };
}
