import { dirname } from 'node:path';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { type McpPlace, type Ports, serverFilesIn } from '../../engine';

/** Calls `onChange` shortly after a file that may define MCP servers changes, whichever program changed it. */
export function watchServerFiles({ files, paths, place, configFolder }: WatchParts, onChange: () => void): Disposable {
  const store = new DisposableStore();
  for (const { path } of serverFilesIn({ configFolder, ...place }, paths)) {
    const folder = dirname(path);
    // The watcher of a file misses its creation together with that of its folder.
    const isInside = folder === place.workspace || folder === configFolder;
    const watched = files.watch?.(isInside ? path : folder, onChange);
    if (watched) store.add(watched);
  }
  return store;
}

interface WatchParts {
  files: Pick<Ports['files'], 'watch'>;
  paths: Pick<Ports['paths'], 'resolve'>;
  place: McpPlace;
  /** Absolute path of Cairn's configuration folder. */
  configFolder: string;
}
