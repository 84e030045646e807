import { errorText } from '../../base/errorText';
import { readRepositoryFile } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';
import type { McpServer } from './mcpServer';
import { OWN_SERVER_FILE, WORKSPACE_FILES } from './serverPlaces';
import { parseServers, type ServerFile, type ServersInFile, withOwnNames } from './serverFiles';

/** Where servers are looked for. */
export interface McpPlace {
  /** Absolute folder. */
  workspace: string;
  /** Whether what the workspace says is heard at all: the person trusts it. */
  isHeard: boolean;
}

/** Those that count, whether they are there or not; of two servers with one id that of the later file does. */
export function serverFilesIn(
  { configFolder, workspace, isHeard }: McpPlace & { configFolder: string },
  paths: Pick<PathStyle, 'resolve'>,
): readonly ServerFile[] {
  const own: ServerFile = {
    path: paths.resolve(configFolder, OWN_SERVER_FILE),
    scope: 'person',
    key: 'mcpServers',
    folder: workspace,
  };
  if (!isHeard) return [own];
  return [
    own,
    ...WORKSPACE_FILES.map(({ path, key }): ServerFile => ({
      path: paths.resolve(workspace, ...path),
      scope: 'workspace',
      key,
      folder: workspace,
    })),
  ];
}

const NOTHING: ServersInFile = { servers: [], problems: [] };

/** The files in which servers are written. One that changed is read again with the next question. */
export class ServerFiles {
  private readonly loaded = new Map<string, { stamp: string; found: ServersInFile }>();

  constructor(
    /** Absolute. */
    private readonly configFolder: string,
    private readonly ports: { files: FileSystem; paths: PathStyle },
  ) {}

  /** Never rejects because of what a file holds. A workspace's server comes before the person's of the same id. */
  async read({ workspace, isHeard }: McpPlace): Promise<ServersInFile> {
    const files = serverFilesIn({ configFolder: this.configFolder, workspace, isHeard }, this.ports.paths);
    const all = await Promise.all(files.map((file) => this.readOne(file, workspace)));
    const byId = new Map<string, McpServer>();
    // A map keeps the first place of a key; names must not depend on which file had it.
    for (const server of all.flatMap(({ servers }) => servers)) byId.set(server.id, server);
    return { servers: withOwnNames([...byId.values()]), problems: all.flatMap(({ problems }) => problems) };
  }

  private async readOne(file: ServerFile, workspace: string): Promise<ServersInFile> {
    const { files } = this.ports;
    const found = await files.find(file.path).catch(() => undefined);
    if (!found) return NOTHING;
    const stamp = `${found.modifiedAt} ${found.size} ${file.folder}`;
    const known = this.loaded.get(file.path);
    if (known?.stamp === stamp) return known.found;
    const read = await this.parsed(file, workspace);
    this.loaded.set(file.path, { stamp, found: read });
    return read;
  }

  private async parsed(file: ServerFile, workspace: string): Promise<ServersInFile> {
    try {
      const bytes =
        file.scope === 'person'
          ? await this.ports.files.readFile(file.path)
          : await readRepositoryFile(file.path, workspace, this.ports);
      return parseServers(new TextDecoder().decode(bytes), file);
    } catch (error) {
      return { servers: [], problems: [`${errorText(error)} No MCP server of it is there.`] };
    }
  }
}
