import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import path from 'node:path';
import type { Disposable } from '../base/disposable';

/** What changes together is told of once. */
const QUIET_MS = 60;
/** As deep as content is looked for. */
const MAX_DEPTH = 8;

/**
 * Tells, soon after, that something in a folder or below it changed. While the folder does not exist its nearest existing
 * parent is watched for it. Never keeps the process running.
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
    // A change of a parent says nothing, unless the folder came or went with it.
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
    // What came while nobody watched it yet.
    if ([...placesToWatch(folder).keys()].some((place) => !wanted.has(place))) changed();
  };
  const add = (place: string, identity: string, isInside: boolean) => {
    const [next] = path.relative(place, folder).split(path.sep);
    try {
      const watcher = watch(place, { persistent: false }, (_event, name) => {
        // By its own name a folder says that it went itself.
        if (isInside || name === null || name === next || name === path.basename(place)) changed();
      });
      watcher.on('error', changed);
      watchers.set(place, { identity, watcher });
    } catch {
      // It went meanwhile, or the system has no watcher left; the rest is watched all the same.
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
 * The folder with those below it, else its nearest parent; with what tells each from another of the same name, because one
 * that is made anew has no watcher. Each has a watcher of its own, since not every system watches what lies below.
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

/** Undefined of what is no folder, or none that we may look at. The inode of a removed folder often goes to the next one. */
function identityOf(folder: string): string | undefined {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    return stats?.isDirectory() ? `${stats.ino} ${stats.birthtimeMs}` : undefined;
  } catch {
    return undefined;
  }
}
