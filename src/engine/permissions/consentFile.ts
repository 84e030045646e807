import type * as z from '../../base/zod';
import { errorText } from '../../base/errorText';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import { parseWith } from './permissionFile';

/**
 * A file in which the person's answers are kept, in their own folder, so that no repository can answer for them. It is read
 * again when it has changed, and changed by one process at a time.
 */
export class ConsentFile<T> {
  private loaded: { stamp: string; value: T } | undefined;

  constructor(
    /** Absolute. */
    private readonly path: string,
    private readonly schema: z.ZodMiniType<T>,
    private readonly empty: T,
    /** What does not happen while the file is broken: a sentence. */
    private readonly until: string,
    private readonly ports: { files: FileSystem; paths: PathStyle },
  ) {}

  /** Rejects with EngineError `damaged` when the file cannot be understood. */
  async read(): Promise<T> {
    const { files } = this.ports;
    const found = await files.find(this.path);
    if (!found) return this.empty;
    const stamp = `${found.modifiedAt} ${found.size}`;
    if (this.loaded?.stamp === stamp) return this.loaded.value;
    const value = this.parsed(new TextDecoder().decode(await files.readFile(this.path)));
    this.loaded = { stamp, value };
    return value;
  }

  /** Rejects as `read` does, and with what the file system rejects. */
  async change(changed: (value: T) => T): Promise<void> {
    const { files, paths } = this.ports;
    await files.makeDirectory(paths.dirname(this.path));
    await files.exclusively(`${this.path}.lock`, async () => {
      const text = `${JSON.stringify(changed(await this.read()), undefined, 2)}\n`;
      await files.writeFile(this.path, new TextEncoder().encode(text));
      this.loaded = undefined;
    });
  }

  private parsed(text: string): T {
    try {
      return parseWith(this.schema, text, this.path);
    } catch (error) {
      throw new EngineError('damaged', `${errorText(error)} ${this.until}`);
    }
  }
}
