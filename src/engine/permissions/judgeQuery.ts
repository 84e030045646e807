import type { FileSystem, PathStyle } from '../ports';
import type { JudgedFile, JudgedPart, JudgedPath, JudgedQuery, PermissionQuery, ToolCategory } from './permissionRule';
import { judgeCommand } from './shell/judgeCommand';
import type { ShellKind } from './shell/shellParts';

/** Where a call is judged. */
export interface JudgedPlaces {
  /** Absolute folder against which relative paths are meant. */
  workspace: string;
  /** Absolute folders that count as the workspace too. */
  folders: readonly string[];
  /** Absolute folders in which reading is like reading the workspace: the session's, with long outputs, and those of skills. */
  readable: readonly string[];
  /** What reads its commands. */
  shell: ShellKind;
}

type PathPorts = { files: FileSystem; paths: PathStyle };
type ResolvePath = (path: string, category: ToolCategory) => Promise<JudgedPath>;

/** Follows symbolic links before anything is judged, so that a link cannot lead out of the workspace unseen. */
export async function judgeQuery(query: PermissionQuery, places: JudgedPlaces, ports: PathPorts): Promise<JudgedQuery> {
  const { paths: asked = [], command: line, ...rest } = query;
  const commands = line === undefined ? [] : judgeCommand(line, places.shell);
  if (asked.length === 0 && commands.every(({ files }) => files.length === 0)) {
    const parts = commands.map((part) => ({ ...part, files: [] }));
    return { ...rest, paths: [], ...(line !== undefined && { command: { line, parts } }) };
  }
  const resolve = await resolver(places, ports);
  const paths = await Promise.all(asked.map((one) => resolve(one, query.category)));
  if (line === undefined) return { ...rest, paths };
  const parts = commands.map(async (part): Promise<JudgedPart> => {
    const files = part.files.map(async (file): Promise<JudgedFile> => {
      const judged =
        file.paths &&
        (await Promise.all(file.paths.map((one) => resolve(one, file.kind === 'read' ? 'read' : 'write'))));
      return { ...file, paths: judged };
    });
    return { ...part, files: await Promise.all(files) };
  });
  return { ...rest, paths, command: { line, parts: await Promise.all(parts) } };
}

async function resolver(places: JudgedPlaces, { files, paths }: PathPorts): Promise<ResolvePath> {
  const real = (folders: readonly string[]) => Promise.all(folders.map((folder) => files.realPath(folder)));
  const workspace = await files.realPath(places.workspace);
  const [folders, readable] = await Promise.all([real(places.folders), real(places.readable)]);
  const isBelow = (path: string) => (folder: string) => !leadsOut(paths.relative(folder, path), paths);
  return async (one, category) => {
    const path = await files.realPath(paths.resolve(places.workspace, one));
    const relative = paths.relative(workspace, path);
    const counted = [workspace, ...folders, ...(category === 'read' ? readable : [])];
    return { path, relative, outside: !counted.some(isBelow(path)) };
  };
}

/** On Windows the way to another drive is no relative path at all. */
function leadsOut(relative: string, paths: PathStyle): boolean {
  return relative === '..' || relative.startsWith('../') || paths.isAbsolute(relative);
}
