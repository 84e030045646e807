import { untilAborted } from '../../base/abort';
import { fuzzyScore } from '../../base/matching';
import type { FileSearch, PathStyle } from '../../engine';

const MAX_FILES = 100_000;
/** While the user types, a listing from a moment ago is good enough. */
const FRESH_MS = 5_000;

/** A file or folder, with its absolute path and the relative path used for matching. */
export interface IndexedPath {
  absolute: string;
  /** Relative to its workspace folder, with forward slashes. */
  relative: string;
  kind: 'file' | 'folder';
}

/** Searched on every keystroke, so it contains only what that needs. */
interface Entry {
  root: string;
  relative: string;
  lower: string;
  kind: IndexedPath['kind'];
}

interface Listing {
  entries: readonly Entry[];
  at: number;
}

/** All file names of a folder, listed when a search begins and cached while searching continues. */
export class FileIndex {
  private readonly listings = new Map<string, Listing>();
  /** Listings in progress. The next keystroke cancels the previous search but needs the same files. */
  private readonly pending = new Map<string, Promise<readonly Entry[]>>();

  constructor(
    private readonly search: FileSearch,
    private readonly paths: PathStyle,
    private readonly now: () => number,
  ) {}

  /** Returns the best matches across all folders, best first, optionally only files or only folders. An empty query matches everything. */
  async find(
    folders: readonly string[],
    query: string,
    limit: number,
    signal: AbortSignal,
    only?: IndexedPath['kind'],
  ): Promise<IndexedPath[]> {
    const lists = await untilAborted(Promise.all(folders.map((folder) => this.list(folder))), signal);
    const wanted = query.toLowerCase();
    const found: { entry: Entry; score: number }[] = [];
    for (const entries of lists) {
      for (const entry of entries) {
        if (only !== undefined && entry.kind !== only) continue;
        const score = fuzzyScore(wanted, entry.lower);
        if (score > 0) found.push({ entry, score });
      }
    }
    found.sort((a, b) => b.score - a.score || a.entry.relative.length - b.entry.relative.length);
    return found.slice(0, limit).map(({ entry: { root, relative, kind } }) => ({
      relative,
      kind,
      absolute: this.paths.resolve(root, relative),
    }));
  }

  private list(folder: string): Promise<readonly Entry[]> {
    const known = this.listings.get(folder);
    if (known && this.now() - known.at < FRESH_MS) return Promise.resolve(known.entries);
    const pending = this.pending.get(folder) ?? this.listAnew(folder).finally(() => this.pending.delete(folder));
    this.pending.set(folder, pending);
    return pending;
  }

  private async listAnew(folder: string): Promise<readonly Entry[]> {
    const query = { root: folder, include: '**', limit: MAX_FILES };
    // Not bound to a caller's signal: it ends on its own and also serves the next keystroke.
    const { signal } = new AbortController();
    const { paths: files } = await this.search.glob(query, signal);
    const entries = this.entriesOf(folder, files);
    this.listings.set(folder, { entries, at: this.now() });
    return entries;
  }

  private entriesOf(root: string, files: readonly string[]): Entry[] {
    const folders = new Set<string>();
    const names = files.map((absolute) => this.paths.relative(root, absolute));
    for (const name of names) {
      for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) {
        const folder = name.slice(0, end);
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    }
    const entry = (relative: string, kind: IndexedPath['kind']): Entry => {
      return { root, relative, kind, lower: relative.toLowerCase() };
    };
    return [...names.map((name) => entry(name, 'file')), ...[...folders].map((name) => entry(name, 'folder'))];
  }
}
