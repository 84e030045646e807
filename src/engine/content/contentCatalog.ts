import { type Disposable, Emitter, onDispose } from '../../base/disposable';
import type { FileSystem, Log } from '../ports';
import { type ContentProblem, type ContentScope, MEMORY, type Named } from './contentProblem';
import type { ContentRoot } from './contentRoots';

/** The result of reading a folder. */
export interface ContentBatch<T> {
  /** In order of precedence. */
  items: readonly T[];
  problems: readonly ContentProblem[];
  /** Merges a later item into one of these with the same name; undefined if the later one replaces it. */
  merge?(earlier: T, later: T): T | undefined;
}

interface ContentCatalogParts<T> {
  /** In order of precedence; called on each load, because folders are opened and trusted over time. */
  roots: () => readonly ContentRoot[];
  /** Roots of the plugins in a workspace; the workspace's own content takes precedence. */
  plugins?: () => Promise<{ roots: readonly ContentRoot[]; problems: readonly ContentProblem[] }>;
  /** Reads one root. Failures are reported as problems, never as a rejection. */
  read: (root: ContentRoot) => Promise<ContentBatch<T>>;
  files: FileSystem;
  log: Log;
}

interface Loaded<T> {
  byName: ReadonlyMap<string, T>;
  sorted: readonly T[];
  all: readonly T[];
  problems: readonly ContentProblem[];
}

/**
 * All content of one kind, by name; the last item of a name wins. Loaded on first use, and again after a file changed. Items
 * already handed out do not change.
 */
export class ContentCatalog<T extends Named> implements Disposable {
  private loading: Promise<Loaded<T>> | undefined;
  private readonly inserted: T[] = [];
  private readonly changes: Emitter<void>;
  private readonly watching = new Map<string, Disposable>();
  private isDisposed = false;

  constructor(private readonly parts: ContentCatalogParts<T>) {
    this.changes = new Emitter((error) => parts.log.error('A listener of a catalog threw', error));
  }

  /** Returns the effective items, sorted by name. */
  async list(): Promise<readonly T[]> {
    return (await this.load()).sorted;
  }

  async find(name: string): Promise<T | undefined> {
    return (await this.load()).byName.get(name);
  }

  /** Returns all items in order of precedence, including those hidden by another of the same name. */
  async all(): Promise<readonly T[]> {
    return (await this.load()).all;
  }

  async problems(): Promise<readonly ContentProblem[]> {
    return (await this.load()).problems;
  }

  /** Adds an item that is in no folder; it takes precedence over everything before it. */
  insert(item: T): void {
    this.inserted.push(item);
    this.reload();
  }

  /** Inserts an item until the returned object is disposed. */
  add(item: T): Disposable {
    this.insert(item);
    return onDispose(() => this.remove(item));
  }

  /** Removes an item added with `insert`. */
  remove(item: T): void {
    const index = this.inserted.indexOf(item);
    if (index >= 0) this.inserted.splice(index, 1);
    this.reload();
  }

  /** Discards what was loaded; the next access loads it again. */
  reload(): void {
    this.loading = undefined;
    this.changes.emit();
  }

  onChanged(listener: () => void): Disposable {
    return this.changes.on(listener);
  }

  dispose(): void {
    this.isDisposed = true;
    for (const watch of this.watching.values()) watch.dispose();
    this.watching.clear();
    this.changes.dispose();
  }

  private load(): Promise<Loaded<T>> {
    if (this.loading) return this.loading;
    const loading = this.read();
    this.loading = loading;
    // The next access tries again.
    loading.catch(() => {
      if (this.loading === loading) this.loading = undefined;
    });
    return loading;
  }

  private async read(): Promise<Loaded<T>> {
    const plugins = (await this.parts.plugins?.()) ?? { roots: [], problems: [] };
    const own = this.parts.roots();
    const isElsewhere = ({ scope }: ContentRoot) => scope !== 'workspace';
    const roots = [...own.filter(isElsewhere), ...plugins.roots, ...own.filter((root) => !isElsewhere(root))];
    this.watch(roots);
    const batches = await Promise.all(roots.map((root) => this.parts.read(root)));
    const merging = batches.find((batch) => batch.merge !== undefined);
    const byName = new Map<string, T>();
    const used = new Set<T>();
    const all = [...batches.flatMap(({ items }) => items), ...this.inserted].map((item) => {
      const earlier = byName.get(item.name);
      const merged = earlier && merging?.merge?.(earlier, item);
      if (merged) used.add(earlier);
      byName.set(item.name, merged ?? item);
      return merged ?? item;
    });
    for (const { name, disabled } of [...byName.values()]) if (disabled) byName.delete(name);
    return {
      all,
      byName,
      // By code unit: loading a locale's collation takes longer than everything else here.
      sorted: [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
      problems: [
        ...plugins.problems,
        ...batches.flatMap(({ problems }) => problems),
        ...hiddenTwins(
          all.filter((one) => !used.has(one)),
          byName,
        ),
      ],
    };
  }

  /** Watches new roots and stops watching those that are no longer in use. */
  private watch(roots: readonly ContentRoot[]): void {
    const { files } = this.parts;
    if (!files.watch || this.isDisposed) return;
    const folders = new Set(roots.filter(({ scope }) => scope !== 'builtin').map(({ folder }) => folder));
    for (const [folder, watch] of this.watching) {
      if (folders.has(folder)) continue;
      watch.dispose();
      this.watching.delete(folder);
    }
    for (const folder of folders) {
      if (!this.watching.has(folder))
        this.watching.set(
          folder,
          files.watch(folder, () => this.reload()),
        );
    }
  }
}

/** Of two files of one tool in a workspace with the same name, only one is used, which is not reported anywhere else. */
function hiddenTwins<T extends Named>(all: readonly T[], byName: ReadonlyMap<string, T>): ContentProblem[] {
  return all.flatMap(({ name, source: { scope, world, path } }): ContentProblem[] => {
    const winner = byName.get(name)?.source;
    if (!winner || winner.path === path || path === MEMORY || winner.path === MEMORY) return [];
    if (scope !== 'workspace' || winner.scope !== scope || winner.world !== world) return [];
    const message = `“${name}” is also the name of ${winner.path}, which takes precedence; this file is not used.`;
    return [{ kind: 'schema', severity: 'warning', path, line: 1, column: 1, message }];
  });
}

/**
 * Returns whose item a workspace item replaces: the scope of the last item with its name that is built in or the user's.
 * Undefined if it replaces none, or is not effective itself. `all` is in order of precedence.
 */
export function takenName(
  { name, source }: Named,
  all: readonly Named[],
): Exclude<ContentScope, 'workspace'> | undefined {
  if (source.scope !== 'workspace' || source.path === MEMORY) return undefined;
  const same = all.filter((one) => one.name === name);
  if (same.at(-1)?.source.path !== source.path) return undefined;
  const scope = same.findLast((one) => one.source.scope !== 'workspace')?.source.scope;
  return scope === 'workspace' ? undefined : scope;
}
