import { readDotEnv } from '../../base/dotEnv';
import { errorText } from '../../base/errors';
import { safeLine } from '../../base/shown/safeText';
import { readOnce } from '../readOnce';
import { EngineError } from '../engineError';
import { readRepositoryFile } from '../permissions/repositoryFile';
import type { FileSystem, PathStyle } from '../ports';
import { digestOf } from '../tools/files/seenFiles';
import type { EnvFile, McpServer } from './mcpServer';
import { mergedServers, type WrittenServer } from './openCodeServers';
import {
  checkServers,
  readWritten,
  type ServerFile,
  type ServersInFile,
  withOwnNames,
  type WrittenFile,
} from './serverFiles';
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

/** Returns a file without servers. */
function without(file: ServerFile, problems: readonly string[] = []): WrittenFile {
  return { file, servers: [], inputs: new Map(), problems, lineAt: () => 1, lineOf: () => 1 };
}

function tooLarge({ path }: ServerFile): string {
  return `${path} is larger than 8 MB, so its MCP servers are not read. Add them to Cairn.`;
}

/** Reads the files that define servers. A file that has changed is read again on the next call. */
export class ServerFiles {
  private readonly loaded = new Map<string, { stamp: string; written: WrittenFile; found?: ServersInFile }>();

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
    const written = (files: readonly ServerFile[]) => Promise.all(files.map((file) => this.writtenIn(file, workspace)));
    const own = await written(serverFilesIn({ configFolder: this.configFolder, workspace, isHeard }, this.ports.paths));
    // What a workspace says there changes what the user's settings say.
    const isChanged = own.some(({ file, servers }) => isSettings(file) && servers.length > 0);
    const programs = programFilesIn(workspace, this.programs);
    const others = await written(programs.filter((file) => isWanted(file.path) || (isChanged && isSettings(file))));
    const all = [...others, ...own];
    const merged = mergedServers(all.filter(({ file }) => isSettings(file)));
    const found = await Promise.all(
      all
        .filter(({ file }) => file.scope !== 'program' || isWanted(file.path))
        .map((one) => this.serversIn(one, merged.get(one), workspace)),
    );
    const byId = new Map<string, McpServer>();
    // Setting a key again keeps its first position in the map, so names do not depend on which file defined it.
    for (const server of found.flatMap(({ servers }) => servers)) byId.set(server.id, server);
    const problems = found.flatMap(({ problems: ofFile }) => ofFile);
    return { servers: withOwnNames([...byId.values()]), problems };
  }

  private async writtenIn(file: ServerFile, workspace: string): Promise<WrittenFile> {
    const { files } = this.ports;
    const found = await files.find(file.path).catch(() => undefined);
    if (!found) return without(file);
    if (file.scope === 'program' && found.size > MAX_PROGRAM_BYTES)
      return without(file, file.within ? [] : [tooLarge(file)]);
    const stamp = `${found.modifiedAt} ${found.size} ${file.folder}`;
    const key = keyOf(file);
    const known = this.loaded.get(key);
    if (known?.stamp === stamp) return known.written;
    const written = await this.parsed(file, workspace);
    this.loaded.set(key, { stamp, written });
    return written;
  }

  /** Checks a file's servers; `merged`, if it is given, stands for them. */
  private async serversIn(
    written: WrittenFile,
    merged: readonly WrittenServer[] | undefined,
    workspace: string,
  ): Promise<ServersInFile> {
    const { file } = written;
    const known = this.loaded.get(keyOf(file));
    const isKnown = !merged && known?.written === written;
    const found = (isKnown ? known.found : undefined) ?? this.checked(written, merged ?? written.servers);
    if (isKnown) known.found = found;
    return found.envFiles ? this.withEnvFiles(found, file, workspace) : found;
  }

  private checked(written: WrittenFile, servers: readonly WrittenServer[]): ServersInFile {
    const { file, problems } = written;
    const found = checkServers(written, servers);
    const placed = { ...found, servers: found.servers.map((server) => this.inFolder(server, file)) };
    // Errors there are for that program to report.
    return file.scope === 'program' ? { ...placed, problems } : placed;
  }

  /** Resolves the folder in which a server is started. */
  private inFolder(server: McpServer, { folder }: ServerFile): McpServer {
    const { launch } = server;
    const { paths } = this.ports;
    if (launch.type !== 'stdio' || paths.isAbsolute(launch.cwd) || /[{~]/.test(launch.cwd)) return server;
    const cwd = paths.resolve(folder, launch.cwd);
    return { ...server, launch: { ...launch, cwd }, namesFolder: cwd !== folder };
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

  private async parsed(file: ServerFile, workspace: string): Promise<WrittenFile> {
    const { files, paths } = this.ports;
    try {
      const reader = isSettings(file) ? readOnce(files) : files;
      const bytes =
        file.scope !== 'workspace'
          ? await reader.readFile(file.path)
          : await readRepositoryFile(file.path, workspace, { files: reader, paths });
      const written = readWritten(new TextDecoder().decode(bytes), file);
      return file.scope === 'program' ? { ...written, problems: [] } : written;
    } catch (error) {
      return without(file, [`${errorText(error)} None of its MCP servers are available.`]);
    }
  }
}

/** Whether it is a file of OpenCode's settings, of which later ones change what earlier ones say. */
function isSettings({ key }: ServerFile): boolean {
  return key === 'mcp';
}

function keyOf({ path, within = [] }: ServerFile): string {
  return [path, ...within].join('\n');
}
