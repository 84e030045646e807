import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from '../../base/zod';
import { errorText } from '../../base/errorText';
import { EngineError } from '../../engine';
import { errorCode, fileError } from '../fileError';
import { writeAtomically } from '../writeAtomically';

const FILE = 'imports.json';

const schema = z.strictObject({
  version: z.literal(1),
  /** Digest of what was imported → where it went. */
  items: z.record(z.string().check(z.regex(/^[0-9a-f]{64}$/)), z.strictObject({ to: z.string(), at: z.number() })),
});

/** What was imported before, so that nothing is imported twice. */
export class ImportLedger {
  private constructor(
    private readonly file: string,
    private readonly items: Map<string, { to: string; at: number }>,
  ) {}

  /** Rejects with EngineError `damaged` for a file that cannot be read, since everything would come twice. */
  static async open(configFolder: string): Promise<ImportLedger> {
    const file = join(configFolder, FILE);
    let text: string;
    try {
      text = await readFile(file, 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return new ImportLedger(file, new Map());
      throw fileError(error, file);
    }
    try {
      const { items } = schema.parse(JSON.parse(text));
      return new ImportLedger(file, new Map(Object.entries(items)));
    } catch (error) {
      const remedy = 'Correct it, or remove it to import everything again.';
      throw new EngineError(
        'damaged',
        `${file} cannot be read, so earlier imports are unknown (${errorText(error)}). ${remedy}`,
      );
    }
  }

  static lockFile(configFolder: string): string {
    return join(configFolder, `${FILE}.lock`);
  }

  /** Of an item by what it holds, whatever of it changes in being copied. */
  static digest(parts: readonly (string | Uint8Array)[]): string {
    const hash = createHash('sha256');
    for (const part of parts) hash.update(`${part.length}:`).update(part);
    return hash.digest('hex');
  }

  find(digest: string): string | undefined {
    return this.items.get(digest)?.to;
  }

  async add(digest: string, to: string, at: number): Promise<void> {
    this.items.set(digest, { to, at });
    const text = `${JSON.stringify({ version: 1, items: Object.fromEntries(this.items) }, undefined, 1)}\n`;
    await writeAtomically(this.file, Buffer.from(text));
  }
}
