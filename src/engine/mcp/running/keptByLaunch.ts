import * as z from '../../../base/zod';
import type { FileSystem, PathStyle } from '../../ports';
import type { McpEra } from '../mcpConnector';
import { mcpPromptSchema, mcpResourceSchema, mcpToolSchema } from '../serverLists';

/** Parses data from disk; undefined if it is invalid. */
type Parse<T> = (data: unknown) => T | undefined;

/**
 * Caches data by the key of a launch, in memory and on disk. It contains nothing written by the user, so an unreadable file is
 * treated as missing.
 */
class KeptByLaunch<T> {
  private readonly known = new Map<string, T>();

  constructor(
    /** Absolute. */
    private readonly folder: string,
    /** The suffix of its file names. */
    private readonly ending: string,
    private readonly parse: Parse<T>,
    private readonly ports: { files: FileSystem; paths: PathStyle },
  ) {}

  /** Returns what is in memory. */
  at(key: string): T | undefined {
    return this.known.get(key);
  }

  /** Returns what is in memory or on disk. */
  async get(key: string): Promise<T | undefined> {
    const known = this.known.get(key);
    if (known) return known;
    const { files } = this.ports;
    const path = this.pathOf(key);
    const read = await files
      .find(path)
      .then((found) => found && files.readFile(path))
      .catch(() => undefined);
    const value = read && this.parsed(new TextDecoder().decode(read));
    if (value !== undefined) this.known.set(key, value);
    return value;
  }

  /** Rejects with file system errors; the value is then still known until Cairn exits. */
  async keep(key: string, value: T): Promise<void> {
    if (JSON.stringify(this.known.get(key)) === JSON.stringify(value)) return;
    this.known.set(key, value);
    await this.write(key, value);
  }

  /** Rejects with file system errors. */
  async forget(key: string): Promise<void> {
    if (this.known.delete(key)) await this.write(key, null);
  }

  private async write(key: string, value: T | null): Promise<void> {
    await this.ports.files.writeFile(this.pathOf(key), new TextEncoder().encode(JSON.stringify(value)));
  }

  private parsed(text: string): T | undefined {
    try {
      return this.parse(JSON.parse(text));
    } catch {
      return undefined;
    }
  }

  private pathOf(key: string): string {
    return this.ports.paths.resolve(this.folder, `${key}${this.ending}`);
  }
}

const manifestSchema = z.object({
  tools: z.array(mcpToolSchema),
  /** The server's instructions for models. */
  instructions: z.string(),
  resources: z.array(mcpResourceSchema),
  prompts: z.array(mcpPromptSchema),
  /** When the manifest expires, in milliseconds since the epoch. Absent if it was stored by an older Cairn. */
  freshUntil: z.optional(z.number()),
});
/** The last known manifest of a server. */
export type Manifest = z.infer<typeof manifestSchema>;

/** The last known manifests of servers. */
export class Manifests extends KeptByLaunch<Manifest> {
  constructor(folder: string, ports: { files: FileSystem; paths: PathStyle }) {
    super(folder, '.json', (data) => manifestSchema.safeParse(data).data, ports);
  }
}

const eraSchema = z.lazy(() =>
  z.object({
    era: z.union([
      z.object({ kind: z.literal('legacy') }),
      z.object({ kind: z.literal('modern'), discovered: z.record(z.string(), z.unknown()) }),
    ]),
    /** Milliseconds since the epoch. */
    until: z.number(),
  }),
);
type KnownEra = z.infer<typeof eraSchema>;

/** How long the older protocol is assumed before the server is asked again, since it may support the newer one by then. */
const LEGACY_MS = 7 * 86_400_000;
/** How long a server's description of itself is valid: the default, and the maximum. */
const MODERN_MS = 3_600_000;
const LONGEST_MS = 86_400_000;

/** How long a server's answer holds. */
export const ttlHint = z.lazy(() => z.looseObject({ ttlMs: z.number().check(z.minimum(0)) }));

/** Caches which protocol each server speaks, so that it is not detected on every connection. */
export class Eras {
  private readonly kept: KeptByLaunch<KnownEra>;

  constructor(
    folder: string,
    private readonly ports: { files: FileSystem; paths: PathStyle; clock: { now(): number } },
  ) {
    this.kept = new KeptByLaunch(folder, '.era.json', (data) => eraSchema.safeParse(data).data, ports);
  }

  /** Undefined if it is unknown or has to be detected again. */
  async get(key: string): Promise<McpEra | undefined> {
    const known = await this.kept.get(key);
    return known && this.ports.clock.now() < known.until ? known.era : undefined;
  }

  /** Rejects with file system errors. */
  async keep(key: string, era: McpEra): Promise<void> {
    const ttlMs = era.kind === 'modern' ? ttlHint.safeParse(era.discovered).data?.ttlMs : undefined;
    const ms = era.kind === 'legacy' ? LEGACY_MS : Math.min(ttlMs ?? MODERN_MS, LONGEST_MS);
    await this.kept.keep(key, { era, until: this.ports.clock.now() + ms });
  }

  /** Rejects with file system errors. */
  forget(key: string): Promise<void> {
    return this.kept.forget(key);
  }
}
