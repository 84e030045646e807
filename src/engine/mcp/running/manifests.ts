import * as z from '../../../base/zod';
import type { FileSystem, PathStyle } from '../../ports';
import { mcpPromptSchema } from '../prompts/promptList';
import { mcpResourceSchema } from '../resources/resourceList';
import { mcpToolSchema } from '../toolList';

const manifestSchema = z.object({
  tools: z.array(mcpToolSchema),
  /** What the server says of itself, for models. */
  instructions: z.string(),
  resources: z.array(mcpResourceSchema),
  prompts: z.array(mcpPromptSchema),
});
/** What was last known of a server. */
export type Manifest = z.infer<typeof manifestSchema>;

/** Nothing that a person wrote: a file that cannot be read is as one that is not there. */
export class Manifests {
  private readonly known = new Map<string, Manifest>();

  constructor(
    /** Absolute. */
    private readonly folder: string,
    private readonly ports: { files: FileSystem; paths: PathStyle },
  ) {}

  /** What is in memory; `key` is that of a launch. */
  at(key: string): Manifest | undefined {
    return this.known.get(key);
  }

  /** The same, also from the disk. */
  async get(key: string): Promise<Manifest | undefined> {
    const known = this.known.get(key);
    if (known) return known;
    const { files } = this.ports;
    const path = this.pathOf(key);
    const read = await files
      .find(path)
      .then((found) => found && files.readFile(path))
      .catch(() => undefined);
    const manifest = read && parsed(new TextDecoder().decode(read));
    if (manifest) this.known.set(key, manifest);
    return manifest;
  }

  /** Rejects with what the file system rejects; it is known all the same until we end. */
  async keep(key: string, manifest: Manifest): Promise<void> {
    if (JSON.stringify(this.known.get(key)) === JSON.stringify(manifest)) return;
    this.known.set(key, manifest);
    await this.ports.files.writeFile(this.pathOf(key), new TextEncoder().encode(JSON.stringify(manifest)));
  }

  private pathOf(key: string): string {
    return this.ports.paths.resolve(this.folder, `${key}.json`);
  }
}

function parsed(text: string): Manifest | undefined {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
