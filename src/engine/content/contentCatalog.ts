import { type Disposable, onDispose } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { FileSystem, Log } from '../ports';
import { type ContentProblem, MEMORY } from './contentProblem';
import type { ContentRoot } from './contentRoots';
import type { ContentScope, Named } from './contentSource';

/** What a reader made of a folder. */
export interface ContentBatch<T> {
  /** In the order of precedence. */
  items: readonly T[];
  problems: readonly ContentProblem[];
}

export interface ContentCatalogParts<T> {
  /** In the order of precedence; asked with each load, because folders are opened and trusted. */
  roots: () => readonly ContentRoot[];
  /** Of plugins that a workspace holds; what it says itself wins over them. */
  plugins?: () => Promise<{ roots: readonly ContentRoot[]; problems: readonly ContentProblem[] }>;
  /** Reads one root. What cannot be read is a problem, never a rejection. */
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
 * Everything of one kind that exists, by name; the last one wins. It is read when it is first asked for, and again after
 * a file changed; whoever holds an item keeps it as it was.
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

  /** Those that count, sorted by name. */
  async list(): Promise<readonly T[]> {
    return (await this.load()).sorted;
  }

  async find(name: string): Promise<T | undefined> {
    return (await this.load()).byName.get(name);
  }

  /** Also those that another of the same name hides, in the order of precedence. */
  async all(): Promise<readonly T[]> {
    return (await this.load()).all;
  }

  async problems(): Promise<readonly ContentProblem[]> {
    return (await this.load()).problems;
  }

  /** Adds one that no folder holds; it wins over all before it. */
  insert(item: T): void {
    this.inserted.push(item);
    this.reload();
  }

  /** The same, until what it gives back is disposed. */
  add(item: T): Disposable {
    this.insert(item);
    return onDispose(() => this.remove(item));
  }

  /** Takes back what `insert` added. */
  remove(item: T): void {
    const index = this.inserted.indexOf(item);
    if (index >= 0) this.inserted.splice(index, 1);
    this.reload();
  }

  /** Forgets what was read; the next question reads it again. */
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
    // Whoever asks next tries again.
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
    const all = [...batches.flatMap(({ items }) => items), ...this.inserted];
    const byName = new Map(all.map((item) => [item.name, item]));
    for (const { name, disabled } of [...byName.values()]) if (disabled) byName.delete(name);
    return {
      all,
      byName,
      // By code, since a language's own order would be loaded for it, which takes longer than all of this.
      sorted: [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1)),
      problems: [...plugins.problems, ...batches.flatMap(({ problems }) => problems), ...hiddenTwins(all, byName)],
    };
  }

  /** A root that is opened later is watched from then on, and one that was closed no longer. */
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

/** Of two files of one tool in a workspace that have one name only one counts, and nobody else says so. */
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
 * Whose name something of the workspace has taken: of all that it stands in front of the last one that came with Cairn or is
 * the person's. Undefined where it takes nobody's, or does not count itself. `all` in the order of precedence.
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
