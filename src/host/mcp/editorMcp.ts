import type { Disposable } from '../../base/disposable';
import {
  type KnownServer,
  type McpPlace,
  type McpServers,
  OWN_SERVER_FILE,
  SERVER_FILES,
  type ToolSource,
} from '../../engine';
import type { EditorMcpParts } from './editorMcpServers';

/** The MCP servers of the editor; all that knows them is loaded once there is a file that names some. */
export class EditorMcp implements ToolSource, Disposable {
  private made: Promise<McpServers> | undefined;

  constructor(private readonly parts: EditorMcpParts) {}

  async toolsFor(...[place, wants]: Parameters<ToolSource['toolsFor']>): ReturnType<ToolSource['toolsFor']> {
    if (!this.made && !(await this.hasFiles(place))) return { tools: [], notices: [] };
    return (await this.servers()).toolsFor(place, wants);
  }

  /** Absolute path of the person's own file. */
  get ownFile(): string {
    return this.parts.ports.paths.resolve(this.parts.configFolder, OWN_SERVER_FILE);
  }

  /** For commands. */
  servers(): Promise<McpServers> {
    return (this.made ??= import('./editorMcpServers').then(({ editorMcpServers }) => editorMcpServers(this.parts)));
  }

  /** Those that may be started, with what is known of them; nothing is loaded where no file names any. */
  async allowed(place: McpPlace): Promise<readonly KnownServer[]> {
    if (!this.made && !(await this.hasFiles(place))) return [];
    const { servers } = await (await this.servers()).list(place);
    return servers.filter(({ consent, offer }) => consent.kind === 'allowed' && offer !== 'off');
  }

  /** Resolves when every server is gone. */
  async end(): Promise<void> {
    await (await this.made)?.dispose();
  }

  dispose(): void {
    void this.end();
  }

  private async hasFiles({ workspace, isHeard }: McpPlace): Promise<boolean> {
    const { files, paths } = this.parts.ports;
    const theirs = isHeard ? SERVER_FILES.map((path) => paths.resolve(workspace, path)) : [];
    const all = [this.ownFile, ...theirs];
    const found = await Promise.all(all.map((path) => files.find(path).catch(() => undefined)));
    return found.some((one) => one !== undefined);
  }
}
