import * as z from '../../../base/zod';
import type { FileSystem, PathStyle } from '../../ports';
import type { McpEra } from '../mcpConnector';
import { KeptByLaunch } from './keptByLaunch';

const eraSchema = z.object({
  era: z.union([
    z.object({ kind: z.literal('legacy') }),
    z.object({ kind: z.literal('modern'), discovered: z.record(z.string(), z.unknown()) }),
  ]),
  /** Milliseconds since the epoch. */
  until: z.number(),
});
type KnownEra = z.infer<typeof eraSchema>;

/** A server that speaks the older protocol still does when it could speak the newer, so it is asked again now and then. */
const LEGACY_MS = 7 * 86_400_000;
/** What a server said of itself holds for so long where it says nothing else, and at most. */
const MODERN_MS = 3_600_000;
const LONGEST_MS = 86_400_000;

const hint = z.looseObject({ ttlMs: z.number().check(z.minimum(0)) });

/** Which protocol each server speaks, so that it is not found out with each connection. */
export class Eras {
  private readonly kept: KeptByLaunch<KnownEra>;

  constructor(
    folder: string,
    private readonly ports: { files: FileSystem; paths: PathStyle; clock: { now(): number } },
  ) {
    this.kept = new KeptByLaunch(folder, '.era.json', (data) => eraSchema.safeParse(data).data, ports);
  }

  /** Undefined when it is not known, or has to be found out again. */
  async get(key: string): Promise<McpEra | undefined> {
    const known = await this.kept.get(key);
    return known && this.ports.clock.now() < known.until ? known.era : undefined;
  }

  /** Rejects with what the file system rejects. */
  async keep(key: string, era: McpEra): Promise<void> {
    const ttlMs = era.kind === 'modern' ? hint.safeParse(era.discovered).data?.ttlMs : undefined;
    const ms = era.kind === 'legacy' ? LEGACY_MS : Math.min(ttlMs ?? MODERN_MS, LONGEST_MS);
    await this.kept.keep(key, { era, until: this.ports.clock.now() + ms });
  }

  /** Rejects with what the file system rejects. */
  forget(key: string): Promise<void> {
    return this.kept.forget(key);
  }
}
