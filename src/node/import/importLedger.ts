import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorText } from '../../base/errors';
import * as z from '../../base/zod';
import { EngineError } from '../../engine';
import { errorCode, fileError } from '../fileError';
import { writeAtomically } from '../writeAtomically';

const FILE = 'imports.json';

const schema = z.strictObject({
  version: z.literal(1),
  /** Hash of the imported item → where it was written. */
  items: z.record(z.string().check(z.regex(/^[0-9a-f]{64}$/)), z.strictObject({ to: z.string(), at: z.number() })),
});

/** Records what was imported, so that nothing is imported twice. */
export class ImportLedger {
  private constructor(
    private readonly file: string,
    private readonly items: Map<string, { to: string; at: number }>,
  ) {}

  /** Opens the ledger. Rejects with EngineError `damaged` for an unreadable file, because everything would be imported again. */
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

  /** Hashes the contents of an item, regardless of what changes when it is copied. */
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
