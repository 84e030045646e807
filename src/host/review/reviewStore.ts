import { runCoalesced } from '../../base/runCoalesced';
import type { FileSystem, Log } from '../../engine';
import { ReviewedFile } from './reviewedFile';
import { isStoredLayer, layersOf, type StoredLayer, storedLayers } from './storedLayers';

interface StoredFile {
  path: string;
  now: string | null;
  layers: StoredLayer[];
}

/** Keeps what is left to review over reloads of the window, in one file. */
export class ReviewStore {
  private latest: readonly ReviewedFile[] = [];
  private readonly write = runCoalesced(() => this.writeLatest());

  constructor(
    private readonly path: string,
    private readonly files: FileSystem,
    private readonly log: Log,
  ) {}

  /** Empty when nothing was kept; what cannot be read is told in the log. */
  async load(): Promise<ReviewedFile[]> {
    const bytes = await this.files.readFile(this.path).catch(() => null);
    if (!bytes) return [];
    try {
      const stored: unknown = JSON.parse(new TextDecoder().decode(bytes));
      if (!Array.isArray(stored)) throw new Error('It is no list.');
      return stored
        .filter(isStoredFile)
        .map(({ path, now, layers }) => new ReviewedFile(path, now, layersOf(layers, now)));
    } catch (error) {
      this.log.error(`What was left to review could not be read from ${this.path}; the changes count as kept`, error);
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
      const stored = this.latest.map((file): StoredFile => {
        return { path: file.path, now: file.text, layers: storedLayers(file) };
      });
      await this.files.writeFile(this.path, new TextEncoder().encode(JSON.stringify(stored)));
    } catch (error) {
      this.log.error(`What is left to review could not be kept in ${this.path}`, error);
    }
  }
}

function isStoredFile(value: unknown): value is StoredFile {
  if (typeof value !== 'object' || value === null) return false;
  const { path, now, layers }: Partial<Record<string, unknown>> = { ...value };
  return (
    typeof path === 'string' &&
    (now === null || typeof now === 'string') &&
    Array.isArray(layers) &&
    layers.every(isStoredLayer)
  );
}
