import type { Named } from '../content/contentProblem';
import type { ContentKind, ContentPlace } from '../content/contentRoots';
import { filesBelow } from '../content/filesBelow';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';

interface FilePorts {
  files: FileSystem;
  paths: PathStyle;
}

/** Contains the user's secrets, which must not get into a repository. */
const KEPT_BACK: ReadonlySet<string> = new Set(['.env']);

interface NewContent {
  kind: ContentKind;
  /** Undefined if there is no folder for this kind of content. */
  folder: string | undefined;
  name: string;
  text: string;
}

/** Writes a new file and returns its path. */
export async function createContent({ kind, folder, name, text }: NewContent, ports: FilePorts): Promise<string> {
  if (folder === undefined) throw noFolder();
  const path = ports.paths.resolve(contentFile(kind, folder, name));
  await refuseExisting(path, ports.files);
  await ports.files.writeFile(path, new TextEncoder().encode(text));
  return path;
}

/** The templates of graphs, by their files in the assets. */
export const GRAPH_TEMPLATES = ['approval', 'map', 'parallel'] as const;
export type GraphTemplate = (typeof GRAPH_TEMPLATES)[number];

/** Writes a new graph in a folder of its own and returns its path. */
export async function createGraph(
  { folder, name, text }: Omit<NewContent, 'kind'>,
  { files, paths }: FilePorts,
): Promise<string> {
  if (folder === undefined) throw noFolder();
  // A folder is either an agent or a graph.
  await refuseExisting(paths.resolve(folder, name), files);
  const path = paths.resolve(folder, name, 'graph.yaml');
  await files.writeFile(path, new TextEncoder().encode(text));
  return path;
}

/** Copies the files of an item into a folder, under the same relative paths. Returns the path of its main file there. */
export async function copyContent(
  item: Named,
  place: ContentPlace | undefined,
  folder: string | undefined,
  ports: FilePorts,
): Promise<string> {
  if (!place) throw new EngineError('invalid-input', `“${item.name}” is not stored in a file, so it cannot be copied.`);
  if (folder === undefined) throw noFolder();
  const { files, paths } = ports;
  const copyOf = (path: string) => paths.resolve(folder, paths.relative(place.root.folder, path));
  const target = copyOf(item.source.path);
  await refuseExisting(target, files);
  const isFolder = place.kind === 'skills' || paths.basename(item.source.path) === 'config.yaml';
  const all = isFolder ? await filesBelow(paths.dirname(item.source.path), files, paths) : [item.source.path];
  for (const path of all.filter((one) => !KEPT_BACK.has(paths.basename(one)))) {
    await files.writeFile(copyOf(path), await files.readFile(path));
  }
  return target;
}

function noFolder(): EngineError {
  const message = 'No folder is open. Open a folder and trust it.';
  return new EngineError('invalid-state', message);
}

async function refuseExisting(path: string, files: FileSystem): Promise<void> {
  const there = await files.stat(path).catch((error: unknown) => {
    if (EngineError.is(error, 'not-found') || EngineError.is(error, 'not-directory')) return undefined;
    throw error;
  });
  if (there) throw new EngineError('exists', `${path} already exists. Open it, or choose another name.`);
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Returns why the name is invalid; undefined if it is valid. */
export function contentNameProblem(name: string): string | undefined {
  if (NAME.test(name)) return undefined;
  return name === '' ? 'Give it a name.' : 'Use up to 64 letters, digits, dashes and underscores.';
}

/** Returns the path of the file for content of that name in a folder. */
export function contentFile(kind: ContentKind, folder: string, name: string): string {
  return kind === 'skills' ? `${folder}/${name}/SKILL.md` : `${folder}/${name}.md`;
}
