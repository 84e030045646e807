import { isBelow } from '../content/isBelow';
import type { PathStyle } from '../ports';

/** What makes a folder an agent; a graph is one too, and read elsewhere. */
const OWN_FOLDER: ReadonlySet<string> = new Set(['config.yaml', 'graph.yaml']);

/** The outermost folders that are an agent with all that is in them. */
export function ownFolders(found: readonly string[], root: string, paths: PathStyle): string[] {
  const folders = found
    .filter((path) => OWN_FOLDER.has(paths.basename(path)))
    .map((path) => paths.dirname(path))
    .filter((folder) => folder !== root);
  return folders.filter((folder) => !folders.some((other) => other !== folder && isBelow(folder, other, paths)));
}
