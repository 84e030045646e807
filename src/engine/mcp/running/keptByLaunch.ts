import * as z from '../../../base/zod';
import type { FileSystem, PathStyle } from '../../ports';
import { digestOf } from '../../tools/files/seenFiles';
import type { McpEra } from '../mcpConnector';
import { type McpServer, startIdentity } from '../mcpServer';
import { mcpPromptSchema, mcpResourceSchema, mcpToolsSchema } from '../serverLists';

interface KeptParts<Of, T> {
  /** Equal for equal launches. */
  keyOf: (of: Of) => string;
  nameOf: (of: Of) => string | Promise<string>;
  /** Parses data from disk; undefined if it is invalid. */
  parse: (data: unknown, of: Of) => T | undefined;
}

/**
 * Caches data by launch, in memory and on disk. It contains nothing written by the user, so an unreadable file is treated as
 * missing.
 */
class KeptByLaunch<Of, T> {
  private readonly known = new Map<string, T>();

  constructor(
    /** Absolute. */
    private readonly folder: string,
    private readonly parts: KeptParts<Of, T>,
    private readonly ports: { files: FileSystem; paths: PathStyle },
  ) {}

  /** Returns what is in memory. */
  at(of: Of): T | undefined {
    return this.known.get(this.parts.keyOf(of));
  }

  /** Returns what is in memory or on disk. */
  async get(of: Of): Promise<T | undefined> {
    const known = this.at(of);
    if (known) return known;
    const { files } = this.ports;
    const path = await this.pathOf(of);
    const read = await files
      .find(path)
      .then((found) => found && files.readFile(path))
      .catch(() => undefined);
    const value = read && this.parsed(new TextDecoder().decode(read), of);
    if (value !== undefined) this.known.set(this.parts.keyOf(of), value);
    return value;
  }

  /** Rejects with file system errors; the value is then still known until Cairn exits. */
  async keep(of: Of, value: T): Promise<void> {
    if (JSON.stringify(this.at(of)) === JSON.stringify(value)) return;
    this.known.set(this.parts.keyOf(of), value);
    await this.write(of, value);
  }

  /** Rejects with file system errors. */
  async forget(of: Of): Promise<void> {
    if (this.known.delete(this.parts.keyOf(of))) await this.write(of, null);
  }

  private async write(of: Of, value: T | null): Promise<void> {
    await this.ports.files.writeFile(await this.pathOf(of), new TextEncoder().encode(JSON.stringify(value)));
  }

  private parsed(text: string, of: Of): T | undefined {
    try {
      return this.parts.parse(JSON.parse(text), of);
    } catch {
      return undefined;
    }
  }

  private async pathOf(of: Of): Promise<string> {
    return this.ports.paths.resolve(this.folder, await this.parts.nameOf(of));
  }
}

const storedSchema = z.lazy(() =>
  z.object({
    /** Where the server is defined. */
    file: z.string(),
    id: z.string(),
    tools: mcpToolsSchema,
    /** The server's instructions for models. */
    instructions: z.string(),
    resources: z.array(mcpResourceSchema),
    prompts: z.array(mcpPromptSchema),
    /** When the manifest expires, in milliseconds since the epoch. */
    freshUntil: z.number(),
  }),
);
type Stored = z.infer<typeof storedSchema>;
/** The last known manifest of a server. */
export type Manifest = Omit<Stored, 'file' | 'id'>;

/**
 * Stores the last known manifests of servers. Files are named by checksums, because loading the code for digests takes longer than
 * reading all of the files. A checksum can be forged, so each file also names its server: a launch can only be mistaken for
 * another launch of the same server.
 */
export class Manifests {
  private readonly kept: KeptByLaunch<McpServer, Stored>;

  constructor(folder: string, ports: { files: FileSystem; paths: PathStyle }) {
    const parts: KeptParts<McpServer, Stored> = {
      keyOf: startIdentity,
      nameOf: (server) => `${checksum([server.source.path, server.id, startIdentity(server)].join('\n'))}.json`,
      parse(data, { source, id }) {
        const stored = storedSchema.safeParse(data).data;
        return stored?.file === source.path && stored.id === id ? stored : undefined;
      },
    };
    this.kept = new KeptByLaunch(folder, parts, ports);
  }

  /** Returns what is in memory. */
  at(server: McpServer): Manifest | undefined {
    return this.kept.at(server);
  }

  /** Returns what is in memory or on disk. */
  get(server: McpServer): Promise<Manifest | undefined> {
    return this.kept.get(server);
  }

  /** Rejects with file system errors; the manifest is then still known until Cairn exits. */
  async keep(server: McpServer, manifest: Manifest): Promise<void> {
    await this.kept.keep(server, { file: server.source.path, id: server.id, ...manifest });
  }
}

/** Returns a 64-bit checksum in hex. It does not resist forgery. */
function checksum(text: string): string {
  let [high, low] = [0x9e3779b1, 0x85ebca77];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  const mixed = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  const other = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return [mixed, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
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
  private readonly kept: KeptByLaunch<string, KnownEra>;

  constructor(
    folder: string,
    private readonly ports: { files: FileSystem; paths: PathStyle; clock: { now(): number } },
  ) {
    const parts = {
      keyOf: (key: string) => key,
      nameOf: async (key: string) => `${await digestOf(ports.files, key)}.era.json`,
      parse: (data: unknown) => eraSchema.safeParse(data).data,
    };
    this.kept = new KeptByLaunch(folder, parts, ports);
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
