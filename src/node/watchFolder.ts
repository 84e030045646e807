import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../base/disposable';

/** Changes within this time are reported together. */
const QUIET_MS = 60;
/** The depth to which content is searched for. */
const MAX_DEPTH = 8;

/**
 * Calls `onChange` shortly after something in or below a folder changes. While the folder does not exist, its nearest existing
 * parent is watched. Never keeps the process running.
 */
export function watchFolder(folder: string, onChange: () => void): Disposable {
  const watchers = new Map<string, { identity: string; watcher: FSWatcher }>();
  let timer: NodeJS.Timeout | undefined;
  let exists = false;
  let isDisposed = false;

  const changed = () => {
    if (!isDisposed) timer ??= setTimeout(settle, QUIET_MS).unref();
  };
  const settle = () => {
    timer = undefined;
    const existed = exists;
    arm();
    // A change in a parent matters only if the folder appeared or disappeared.
    if (exists || existed) onChange();
  };
  const arm = () => {
    const wanted = placesToWatch(folder);
    exists = wanted.has(folder);
    for (const [place, { identity, watcher }] of watchers) {
      if (wanted.get(place) === identity) continue;
      watcher.close();
      watchers.delete(place);
    }
    for (const [place, identity] of wanted) if (!watchers.has(place)) add(place, identity, exists);
    // Catches folders created before they were watched.
    if ([...placesToWatch(folder).keys()].some((place) => !wanted.has(place))) changed();
  };
  const add = (place: string, identity: string, isInside: boolean) => {
    const [next] = path.relative(place, folder).split(path.sep);
    try {
      const watcher = watch(place, { persistent: false }, (_event, name) => {
        // A folder reports its own removal under its own name.
        if (isInside || name === null || name === next || name === path.basename(place)) changed();
      });
      watcher.on('error', changed);
      watchers.set(place, { identity, watcher });
    } catch {
      // The folder is gone, or the system is out of watchers; the rest is still watched.
    }
  };
  arm();
  return {
    dispose() {
      isDisposed = true;
      clearTimeout(timer);
      for (const { watcher } of watchers.values()) watcher.close();
    },
  };
}

/**
 * Returns the folder and its subfolders, or else its nearest parent, each with its identity, because a recreated folder needs a
 * new watcher. Each gets its own watcher, since not every system supports recursive ones.
 */
function placesToWatch(folder: string): Map<string, string> {
  const below = foldersBelow(folder);
  const places = below.length > 0 ? below : [nearestParent(folder)];
  return new Map(places.map((place) => [place, identityOf(place) ?? '']));
}

function foldersBelow(folder: string, depth = 0): string[] {
  if (depth > MAX_DEPTH) return [];
  try {
    const below = readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git')
      .flatMap((entry) => foldersBelow(path.join(folder, entry.name), depth + 1));
    return [folder, ...below];
  } catch {
    return [];
  }
}

function nearestParent(folder: string): string {
  const parent = path.dirname(folder);
  return parent === folder || identityOf(parent) !== undefined ? parent : nearestParent(parent);
}

/**
 * Returns undefined if it is not a folder or not accessible. Includes the creation time, because the inode of a removed folder is
 * often reused.
 */
function identityOf(folder: string): string | undefined {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    return stats?.isDirectory() ? `${stats.ino} ${stats.birthtimeMs}` : undefined;
  } catch {
    return undefined;
  }
}
