import * as z from '../../base/zod';
import { errorText } from '../../base/errorText';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import { parseWith } from '../permissions/permissionFile';
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
  private readonly path: string;
  private loaded: { stamp: string; consents: readonly Consent[] } | undefined;

  constructor(
    configFolder: string,
    private readonly ports: { files: FileSystem; paths: PathStyle },
  ) {
    this.path = ports.paths.resolve(configFolder, 'mcp-consents.json');
  }

  /** Rejects with EngineError `damaged` when the file cannot be understood. */
  async stateOf(server: McpServer): Promise<ConsentState> {
    if (server.scope === 'person') return { kind: 'allowed' };
    const consent = (await this.read()).find((one) => isOf(one, server));
    if (!consent) return { kind: 'unasked' };
    if (consent.identity === launchIdentity(server.launch)) return { kind: consent.allowed ? 'allowed' : 'denied' };
    return consent.allowed ? { kind: 'changed', before: consent.launch } : { kind: 'unasked' };
  }

  /** Remembers an answer for this launch alone. Rejects as `stateOf` does, and with what the file system rejects. */
  async remember(server: McpServer, allowed: boolean): Promise<void> {
    const { files, paths } = this.ports;
    await files.makeDirectory(paths.dirname(this.path));
    await files.exclusively(`${this.path}.lock`, async () => {
      const { launch, id, source } = server;
      const consent = { file: source.path, id, identity: launchIdentity(launch), launch: launchText(launch), allowed };
      const others = (await this.read()).filter((one) => !isOf(one, server));
      const text = `${JSON.stringify({ servers: [...others, consent] }, undefined, 2)}\n`;
      await files.writeFile(this.path, new TextEncoder().encode(text));
      this.loaded = undefined;
    });
  }

  private async read(): Promise<readonly Consent[]> {
    const { files } = this.ports;
    const found = await files.find(this.path);
    if (!found) return [];
    const stamp = `${found.modifiedAt} ${found.size}`;
    if (this.loaded?.stamp === stamp) return this.loaded.consents;
    const text = new TextDecoder().decode(await files.readFile(this.path));
    const { servers } = this.parsed(text);
    this.loaded = { stamp, consents: servers };
    return servers;
  }

  private parsed(text: string): z.infer<typeof fileSchema> {
    try {
      return parseWith(fileSchema, text, this.path);
    } catch (error) {
      throw new EngineError('damaged', `${errorText(error)} No MCP server of a workspace is started until then.`);
    }
  }
}

function isOf({ file, id }: Consent, server: McpServer): boolean {
  return file === server.source.path && id === server.id;
}
