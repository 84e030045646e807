import { coalesced } from '../../base/coalesced';
import type { FileSystem, Log } from '../../engine';
import { FileContent } from './fileContent';
import { ReviewedFile } from './reviewedFile';
import type { ReviewLayer, ReviewTurn } from './reviewLayers';

interface StoredFile {
  path: string;
  now: string | null;
  layers: StoredLayer[];
}

interface StoredLayer extends ReviewTurn {
  /** Base 64; null when the file did not exist. */
  before: string | null;
  kept: boolean;
}

/** Keeps what is left to review over reloads of the window, in one file. */
export class ReviewStore {
  private latest: readonly ReviewedFile[] = [];
  private readonly write = coalesced(() => this.writeLatest());

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
        .map(({ path, now, layers }) => new ReviewedFile(path, now, layers.map(layerOf)));
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
      const stored = this.latest.map(({ path, text, layers }): StoredFile => {
        return { path, now: text, layers: layers.map(storedLayer) };
      });
      await this.files.writeFile(this.path, new TextEncoder().encode(JSON.stringify(stored)));
    } catch (error) {
      this.log.error(`What is left to review could not be kept in ${this.path}`, error);
    }
  }
}

function storedLayer({ turn, base: { bytes }, kept }: ReviewLayer): StoredLayer {
  return { ...turn, kept, before: bytes && Buffer.from(bytes).toString('base64') };
}

function layerOf({ before, kept, ...turn }: StoredLayer): ReviewLayer {
  const bytes = before === null ? null : new Uint8Array(Buffer.from(before, 'base64'));
  return { turn, kept, base: FileContent.ofBytes(bytes) };
}

function isStoredFile(value: unknown): value is StoredFile {
  if (typeof value !== 'object' || value === null) return false;
  const { path, now, layers }: Partial<Record<string, unknown>> = { ...value };
  return typeof path === 'string' && isTextOrNull(now) && Array.isArray(layers) && layers.every(isStoredLayer);
}

function isStoredLayer(value: unknown): value is StoredLayer {
  if (typeof value !== 'object' || value === null) return false;
  const { before, kept, sessionId, runId, title }: Partial<Record<string, unknown>> = { ...value };
  const words = [sessionId, runId, title];
  return isTextOrNull(before) && typeof kept === 'boolean' && words.every((one) => typeof one === 'string');
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}
