import { runCoalesced } from '../../base/runCoalesced';
import type { FileSystem, Log } from '../../engine';
import type { ReviewedFile } from './reviewedFile';

/** Keeps what is left to review over reloads of the window, in one file. */
export class ReviewStore {
  private latest: readonly ReviewedFile[] = [];
  private readonly write = runCoalesced(() => this.writeLatest());

  constructor(
    private readonly path: string,
    private readonly files: FileSystem,
    private readonly log: Log,
  ) {}

  /** Empty when nothing was kept; what cannot be read is told in the log. Rejects when our own code cannot be loaded. */
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

  /** Resolves when it is on disk; of what is saved while an earlier state is written, only the last is written. */
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
