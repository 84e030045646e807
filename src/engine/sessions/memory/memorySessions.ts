import { randomId } from '../../../base/newId';
import { isBelow } from '../../content/isBelow';
import type { FileSystem } from '../../ports';
import { FileSessionStore } from '../fileSessionStore';
import type { SessionsOf } from '../sessionStore';
import { layeredFiles } from './layeredFiles';
import { MemoryFiles } from './memoryFiles';

/**
 * Sessions that are gone with the process, with all that belongs to them: long outputs, copies of changed files, the record of
 * decisions. Engines that are given the same ones share them. Tools read long outputs there as files; commands cannot.
 */
export function memorySessions(): SessionsOf {
  let made: { root: string; files: MemoryFiles } | undefined;
  return (ports) => {
    const { paths, clock } = ports;
    if (!made) {
      const root = paths.resolve('/', 'cairn-memory', randomId());
      const separator = root.includes('\\') ? '\\' : '/';
      made = { root, files: new MemoryFiles(() => clock.now(), separator) };
    }
    const { root, files } = made;
    const isInMemory = (path: string) => isBelow(paths.resolve(path), root, paths);
    const over = (disk: FileSystem) => layeredFiles(disk, files, isInMemory);
    const store = new FileSessionStore(paths.resolve(root, 'sessions'), { ...ports, files });
    return Object.assign(store, { elsewhere: { folder: root, over } });
  };
}
