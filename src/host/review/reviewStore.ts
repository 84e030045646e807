import { runCoalesced } from '../../base/async';
import type { FileSystem, Log } from '../../engine';
import type { ReviewedFile } from './reviewedFile';

/** Stores what is left to review across window reloads, in a single file. */
export class ReviewStore {
  private latest: readonly ReviewedFile[] = [];
  private readonly write = runCoalesced(() => this.writeLatest());

  constructor(
    private readonly path: string,
    private readonly files: FileSystem,
    private readonly log: Log,
  ) {}

  /** Returns an empty list if nothing was stored. Unreadable data is logged. Rejects if Cairn's own code cannot be loaded. */
  async load(): Promise<ReviewedFile[]> {
    const bytes = await this.files.readFile(this.path).catch(() => null);
    if (!bytes) return [];
    const { filesOf } = await import('./storedLayers');
    try {
      return filesOf(JSON.parse(new TextDecoder().decode(bytes)));
    } catch (error) {
      this.log.error(`Changes to review could not be read from ${this.path}; they count as kept`, error);
      return [];
    }
  }

  /** Resolves once it is on disk. Of several saves during a write, only the last is written. */
  save(files: readonly ReviewedFile[]): Promise<void> {
    this.latest = files;
    return this.write();
  }

  private async writeLatest(): Promise<void> {
    try {
      const { storedFiles } = await import('./storedLayers');
      await this.files.writeFile(this.path, new TextEncoder().encode(JSON.stringify(storedFiles(this.latest))));
    } catch (error) {
      this.log.error(`Changes to review could not be saved in ${this.path}`, error);
    }
  }
}
