import type { Disposable } from '../../base/disposable';
import {
  CONSENTS_FILE,
  type KnownServer,
  type McpPlace,
  type McpServers,
  OWN_SERVER_FILE,
  type Ports,
  SERVER_FILES,
  type ToolSource,
} from '../../engine';

/** MCP servers whose code is loaded only when a file names some. */
export class LateMcpServers implements ToolSource, Disposable {
  private made: Promise<McpServers> | undefined;

  constructor(
    /** Absolute path of Cairn's folder. */
    private readonly configFolder: string,
    private readonly ports: Pick<Ports, 'files' | 'paths'>,
    private readonly make: () => Promise<McpServers>,
  ) {}

  async toolsFor(...[place, wants]: Parameters<ToolSource['toolsFor']>): ReturnType<ToolSource['toolsFor']> {
    const servers = await this.ifAny(place);
    return servers ? servers.toolsFor(place, wants) : { tools: [], notices: [] };
  }

  /** Absolute path of the user's server file. */
  get ownFile(): string {
    return this.ports.paths.resolve(this.configFolder, OWN_SERVER_FILE);
  }

  /** For commands, which need it in any case. */
  servers(): Promise<McpServers> {
    return (this.made ??= this.make());
  }

  /** Returns undefined if no file names any servers. */
  async ifAny(place: McpPlace): Promise<McpServers | undefined> {
    return this.made !== undefined || (await this.hasFiles(place)) ? this.servers() : undefined;
  }

  /** Returns the servers that may be started, with what is known of them. Loads nothing if no file names any. */
  async allowed(place: McpPlace): Promise<readonly KnownServer[]> {
    const made = await this.ifAny(place);
    if (!made) return [];
    const { servers } = await made.list(place);
    return servers.filter(({ consent, offer }) => consent.kind === 'allowed' && offer !== 'off');
  }

  /** Resolves when every server has exited. */
  async end(): Promise<void> {
    await (await this.made)?.dispose();
  }

  dispose(): void {
    void this.end();
  }

  private async hasFiles({ workspace, isHeard }: McpPlace): Promise<boolean> {
    const { files, paths } = this.ports;
    const theirs = isHeard ? SERVER_FILES.map((path) => paths.resolve(workspace, path)) : [];
    // Servers from other programs' files count only once the user has allowed one.
    const consents = paths.resolve(this.configFolder, CONSENTS_FILE);
    const all = [this.ownFile, consents, ...theirs];
    const found = await Promise.all(all.map((path) => files.find(path).catch(() => undefined)));
    return found.some((one) => one !== undefined);
  }
}
