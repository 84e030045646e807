import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { throwIfAborted } from '../base/abort';
import { compareNames } from './comparePaths';
import { GitIgnore } from './gitIgnore';

const NEVER = new Set(['.git', 'node_modules']);

/** Regular files below a folder in order of their paths, less what `.gitignore` files name. Links are not followed. */
export async function* walkFiles(root: string, signal: AbortSignal): AsyncGenerator<string> {
  yield* walk(root, await GitIgnore.at(root), signal);
}

async function* walk(folder: string, ignored: GitIgnore, signal: AbortSignal): AsyncGenerator<string> {
  throwIfAborted(signal);
  for (const entry of await entriesOf(folder)) {
    const file = path.join(folder, entry.name);
    const isFolder = entry.isDirectory();
    if (NEVER.has(entry.name) || !(isFolder || entry.isFile()) || ignored.leavesOut(file, isFolder)) continue;
    if (isFolder) yield* walk(file, await ignored.enter(file), signal);
    else yield file;
  }
}

/** What may not be read is passed over, like what is not there any more. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.sort((a, b) => compareNames(a.name, b.name));
  } catch {
    return [];
  }
}
