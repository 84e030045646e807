import * as z from '../../../base/zod';
import type { FileSystem, PathStyle } from '../../ports';
import { mcpPromptSchema } from '../prompts/promptList';
import { mcpResourceSchema } from '../resources/resourceList';
import { mcpToolSchema } from '../toolList';
import { KeptByLaunch } from './keptByLaunch';

const manifestSchema = z.object({
  tools: z.array(mcpToolSchema),
  /** What the server says of itself, for models. */
  instructions: z.string(),
  resources: z.array(mcpResourceSchema),
  prompts: z.array(mcpPromptSchema),
  /** Milliseconds since the epoch, until when nobody need ask again; absent when it was learnt by an older Cairn. */
  freshUntil: z.optional(z.number()),
});
/** What was last known of a server. */
export type Manifest = z.infer<typeof manifestSchema>;

/** What was last known of servers. */
export class Manifests extends KeptByLaunch<Manifest> {
  constructor(folder: string, ports: { files: FileSystem; paths: PathStyle }) {
    super(folder, '.json', (data) => manifestSchema.safeParse(data).data, ports);
  }
}
