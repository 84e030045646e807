import { EngineError } from '../../engineError';
import type { DirectoryEntry, FileSystem, PathStyle } from '../../ports';

type PathPorts = { files: FileSystem; paths: PathStyle };

/** A path by the names that lead to it, and where it really is. */
export interface PatternMatch {
  named: string;
  real: string;
}

const WILD = /[*?[]/;

/**
 * What a pattern of a shell may mean, an absolute path with slashes: more rather than less, as of each name that is a pattern
 * only its beginning counts. Undefined when that is more than `most`.
 */
export async function patternMatches(
  pattern: string,
  most: number,
  { files, paths }: PathPorts,
): Promise<readonly PatternMatch[] | undefined> {
  const names = pattern.split('/');
  const first = names.findIndex((name) => WILD.test(name));
  const base = names.slice(0, first).join('/') || '/';
  let found: PatternMatch[] = [{ named: base, real: await files.realPath(base) }];
  for (const name of names.slice(first)) {
    const next = await Promise.all(found.map((folder) => matchesIn(folder, name, { files, paths })));
    found = next.flat();
    if (found.length > most) return undefined;
  }
  return found;
}

async function matchesIn(folder: PatternMatch, name: string, ports: PathPorts): Promise<PatternMatch[]> {
  const { files, paths } = ports;
  const below = (entry: string) => paths.resolve(folder.real, entry);
  const named = (entry: string) => paths.resolve(folder.named, entry);
  if (!WILD.test(name)) return [{ named: named(name), real: await files.realPath(below(name)) }];
  // On some disks a name is found in other letter case, too.
  const beginning = name.slice(0, name.search(WILD)).toLowerCase();
  const meant = (await entriesOf(files, folder.real)).filter(
    (entry) =>
      entry.name.toLowerCase().startsWith(beginning) && (beginning.startsWith('.') || !entry.name.startsWith('.')),
  );
  return Promise.all(
    meant.map(async ({ name: entry, kind }) => ({
      named: named(entry),
      real: kind === 'symlink' ? await files.realPath(below(entry)) : below(entry),
    })),
  );
}

/** None of what is no folder, or cannot be read. */
export async function entriesOf(files: FileSystem, folder: string): Promise<DirectoryEntry[]> {
  try {
    return await files.readDirectory(folder);
  } catch (error) {
    if (EngineError.is(error)) return [];
    throw error;
  }
}
