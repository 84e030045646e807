import * as z from '../../base/zod';
import { ConsentFile } from '../permissions/consentFile';
import type { FileSystem, PathStyle } from '../ports';
import { launchIdentity, launchText, type McpServer } from './mcpServer';

const consentSchema = z.strictObject({
  /** Absolute path of the file that has the server. */
  file: z.string(),
  id: z.string(),
  /** All of the launch, as it was written. */
  identity: z.string(),
  /** The same for people. */
  launch: z.string(),
  allowed: z.boolean(),
});
const fileSchema = z.strictObject({ servers: z.array(consentSchema) });
type Consent = z.infer<typeof consentSchema>;

/** What a person said of a server: `changed` when it was of another launch, which is told. */
export type ConsentState = { kind: 'allowed' | 'denied' | 'unasked' } | { kind: 'changed'; before: string };

/**
 * Which servers of other people's files may be started: the exact launch that the person allowed. Kept in the person's own
 * folder, so that no repository can allow itself anything.
 */
export class McpConsents {
  private readonly kept: ConsentFile<z.infer<typeof fileSchema>>;

  constructor(configFolder: string, ports: { files: FileSystem; paths: PathStyle }) {
    const path = ports.paths.resolve(configFolder, 'mcp-consents.json');
    const until = 'No MCP server of a workspace is started until then.';
    this.kept = new ConsentFile(path, fileSchema, { servers: [] }, until, ports);
  }

  /** Rejects with EngineError `damaged` when the file cannot be understood. */
  async stateOf(server: McpServer): Promise<ConsentState> {
    if (server.scope === 'person') return { kind: 'allowed' };
    const consent = (await this.kept.read()).servers.find((one) => isOf(one, server));
    if (!consent) return { kind: 'unasked' };
    if (consent.identity === launchIdentity(server.launch)) return { kind: consent.allowed ? 'allowed' : 'denied' };
    return consent.allowed ? { kind: 'changed', before: consent.launch } : { kind: 'unasked' };
  }

  /** Remembers an answer for this launch alone. Rejects as `stateOf` does, and with what the file system rejects. */
  async remember(server: McpServer, allowed: boolean): Promise<void> {
    const { launch, id, source } = server;
    const consent = { file: source.path, id, identity: launchIdentity(launch), launch: launchText(launch), allowed };
    await this.kept.change(({ servers }) => ({
      servers: [...servers.filter((one) => !isOf(one, server)), consent],
    }));
  }
}

function isOf({ file, id }: Consent, server: McpServer): boolean {
  return file === server.source.path && id === server.id;
}
