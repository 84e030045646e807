import { readDotEnv } from '../../base/dotEnv';
import { errorText } from '../../base/errors';
import { safeLine } from '../../base/shown/safeText';
import { EngineError } from '../engineError';
import { readRepositoryFile } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';
import { digestOf } from '../tools/files/seenFiles';
import type { EnvFile, McpServer } from './mcpServer';
import { parseServers, type ServerFile, type ServersInFile, withOwnNames } from './serverFiles';
import { OWN_SERVER_FILE, type ProgramFile, WORKSPACE_FILES } from './serverPlaces';

/** Where servers are looked up. */
export interface McpPlace {
  /** Absolute path of a folder. */
  workspace: string;
  /** Whether the user trusts the workspace, so that its files are read at all. */
  isHeard: boolean;
}

/** Files of other programs come first, so that what the user configures in Cairn overrides them. */
function programFilesIn(workspace: string, programs: readonly ProgramFile[]): readonly ServerFile[] {
  return programs.flatMap(({ path, key, folder = workspace, hasProjects }): ServerFile[] => {
    const file: ServerFile = { path, scope: 'program', key: key ?? 'mcpServers', folder };
    return hasProjects ? [file, { ...file, within: ['projects', workspace] }] : [file];
  });
}

/**
 * Returns the server files of Cairn and the workspace that apply, whether they exist or not. Of two servers with the same ID, the
 * one in the later file wins.
 */
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

/** Claude Code also stores its history of every folder in this file. A file that large is not read whole for a few servers. */
const MAX_PROGRAM_BYTES = 8 * 1024 * 1024;

const NOTHING: ServersInFile = { servers: [], problems: [] };

function tooLarge(path: string): ServersInFile {
  return {
    servers: [],
    problems: [`${path} is larger than 8 MB, so its MCP servers are not read. Add them to Cairn.`],
  };
}

/** Reads the files that define servers. A file that has changed is read again on the next call. */
export class ServerFiles {
  private readonly loaded = new Map<string, { stamp: string; found: ServersInFile }>();

  constructor(
    /** Absolute. */
    private readonly configFolder: string,
    private readonly ports: { files: FileSystem; paths: PathStyle },
    private readonly programs: readonly ProgramFile[] = [],
  ) {}

  /**
   * Never rejects because of a file's contents. A workspace's server takes precedence over the user's with the same ID.
   * `isWanted` selects which files of other programs, which may be large, are read.
   */
  async read(
    { workspace, isHeard }: McpPlace,
    isWanted: (path: string) => boolean = () => true,
  ): Promise<ServersInFile> {
    const files = [
      ...programFilesIn(workspace, this.programs).filter(({ path }) => isWanted(path)),
      ...serverFilesIn({ configFolder: this.configFolder, workspace, isHeard }, this.ports.paths),
    ];
    const all = await Promise.all(files.map((file) => this.readOne(file, workspace)));
    const byId = new Map<string, McpServer>();
    // Setting a key again keeps its first position in the map, so names do not depend on which file defined it.
    for (const server of all.flatMap(({ servers }) => servers)) byId.set(server.id, server);
    const problems = all.flatMap(({ problems: ofFile }) => ofFile);
    return { servers: withOwnNames([...byId.values()]), problems };
  }

  private async readOne(file: ServerFile, workspace: string): Promise<ServersInFile> {
    const { files } = this.ports;
    const found = await files.find(file.path).catch(() => undefined);
    if (!found) return NOTHING;
    if (file.scope === 'program' && found.size > MAX_PROGRAM_BYTES) return file.within ? NOTHING : tooLarge(file.path);
    const stamp = `${found.modifiedAt} ${found.size} ${file.folder}`;
    const key = [file.path, ...(file.within ?? [])].join('\n');
    const known = this.loaded.get(key);
    const read = known?.stamp === stamp ? known.found : await this.parsed(file, workspace);
    this.loaded.set(key, { stamp, found: read });
    return read.envFiles ? this.withEnvFiles(read, file, workspace) : read;
  }

  /** Adds the variables of env files, as they are now. A server whose env file cannot be read is omitted. */
  private async withEnvFiles(found: ServersInFile, file: ServerFile, workspace: string): Promise<ServersInFile> {
    const problems = [...found.problems];
    const servers = await Promise.all(
      found.servers.map(async (server): Promise<readonly McpServer[]> => {
        const written = found.envFiles?.get(server.id);
        const { launch, source } = server;
        if (written === undefined || launch.type !== 'stdio') return [server];
        try {
          const envFile = await this.envFile(written, file, workspace);
          return [{ ...server, launch: { ...launch, envFile } }];
        } catch (error) {
          const place = `${source.path}:${source.line}`;
          problems.push(
            `${place}: the server “${safeLine(server.id)}” is left out: its envFile cannot be read (${errorText(error)})`,
          );
          return [];
        }
      }),
    );
    return { ...found, servers: servers.flat(), problems };
  }

  /** An env file of a workspace's server must be inside the workspace. */
  private async envFile(written: string, { folder, scope }: ServerFile, workspace: string): Promise<EnvFile> {
    const { files, paths } = this.ports;
    if (/\$\{|^~/.test(written))
      throw new EngineError('invalid-input', `${written} is no path. Only \${workspaceFolder} is known in it.`);
    const path = paths.resolve(folder, written);
    const bytes = await (scope !== 'workspace'
      ? files.readFile(path)
      : readRepositoryFile(path, workspace, this.ports));
    const text = new TextDecoder().decode(bytes);
    return { path, values: Object.fromEntries(readDotEnv(text)), digest: await digestOf(files, text) };
  }

  private async parsed(file: ServerFile, workspace: string): Promise<ServersInFile> {
    try {
      const bytes =
        file.scope !== 'workspace'
          ? await this.ports.files.readFile(file.path)
          : await readRepositoryFile(file.path, workspace, this.ports);
      const found = parseServers(new TextDecoder().decode(bytes), file);
      // Errors there are for that program to report.
      return file.scope === 'program' ? { ...found, problems: [] } : found;
    } catch (error) {
      return { ...NOTHING, problems: [`${errorText(error)} None of its MCP servers are available.`] };
    }
  }
}
