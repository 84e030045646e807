import { type Disposable, DisposableStore } from '../../base/disposable';
import { type McpPlace, type Ports, serverFilesIn } from '../../engine';

/** Calls `onChange` shortly after a file that may define MCP servers changes, whichever program changed it. */
export function watchServerFiles({ files, paths, place, configFolder }: WatchParts, onChange: () => void): Disposable {
  const store = new DisposableStore();
  for (const { path } of serverFilesIn({ configFolder, ...place }, paths)) {
    const watched = files.watch?.(path, onChange);
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
