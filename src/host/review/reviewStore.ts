import { type FileSystem, type Log } from '../../engine';
import { ReviewedFile } from './reviewedFile';

interface StoredFile {
  path: string;
  /** Base 64; null when the file did not exist. */
  before: string | null;
  now: string | null;
  sessionId: string;
  runId: string;
  title: string;
}

/** Keeps what is left to review over reloads of the window, in one file. */
export class ReviewStore {
  private writing: Promise<void> = Promise.resolve();

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
      return stored.filter(isStoredFile).map(({ path, before, now, ...turn }) => {
        const baseline = before === null ? null : new Uint8Array(Buffer.from(before, 'base64'));
        return new ReviewedFile(path, baseline, now, turn);
      });
    } catch (error) {
      this.log.error(`What was left to review could not be read from ${this.path}; the changes count as kept`, error);
      return [];
    }
  }

  /** Resolves when it is on disk, after what was saved before. */
  save(files: readonly ReviewedFile[]): Promise<void> {
    const stored = files.map(({ path, baseline, text, turn }): StoredFile => {
      const before = baseline && Buffer.from(baseline).toString('base64');
      return { path, before, now: text, ...turn };
    });
    const bytes = new TextEncoder().encode(JSON.stringify(stored));
    this.writing = this.writing
      .then(() => this.files.writeFile(this.path, bytes))
      .catch((error: unknown) => this.log.error(`What is left to review could not be kept in ${this.path}`, error));
    return this.writing;
  }
}

function isStoredFile(value: unknown): value is StoredFile {
  if (typeof value !== 'object' || value === null) return false;
  const { path, before, now, sessionId, runId, title }: Partial<Record<string, unknown>> = { ...value };
  return (
    [path, sessionId, runId, title].every((one) => typeof one === 'string') &&
    [before, now].every((one) => one === null || typeof one === 'string')
  );
}
