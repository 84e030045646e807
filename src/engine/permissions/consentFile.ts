import { errorText } from '../../base/errors';
import type * as z from '../../base/zod';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import { parseWith } from './permissionFile';

/**
 * A file with the user's answers, in the user's own folder, so that no repository can answer for them. It is reloaded when it has
 * changed, and only one process at a time changes it.
 */
export class ConsentFile<T> {
  private loaded: { stamp: string; value: T } | undefined;

  constructor(
    /** Absolute. */
    private readonly path: string,
    private readonly schema: z.ZodMiniType<T>,
    private readonly empty: T,
    /** A sentence that says what does not work while the file is damaged. */
    private readonly until: string,
    private readonly ports: { files: FileSystem; paths: PathStyle },
  ) {}

  /** Rejects with EngineError `damaged` if the file cannot be parsed. */
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

  /** Rejects like `read`, and with file system errors. */
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
