import type { ContentKind } from '../content/contentRoots';
import type { Named } from '../content/contentSource';
import { filesBelow } from '../content/filesBelow';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import type { ContentPlace } from './contentDesk';

interface FilePorts {
  files: FileSystem;
  paths: PathStyle;
}

/** Secrets of the person's own, which must not get into a repository. */
const KEPT_BACK: ReadonlySet<string> = new Set(['.env']);

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Why something cannot be called so; undefined when it can. */
export function contentNameProblem(name: string): string | undefined {
  if (NAME.test(name)) return undefined;
  return name === '' ? 'Give it a name.' : 'Use up to 64 letters, digits, dashes and underscores.';
}

/** The path of the file that something of that name has in a folder. */
export function contentFile(kind: ContentKind, folder: string, name: string, paths: PathStyle): string {
  return kind === 'skills' ? paths.resolve(folder, name, 'SKILL.md') : paths.resolve(folder, `${name}.md`);
}

/** Writes a new file. Rejects with EngineError `exists` when there is one. */
export async function createContent(path: string, text: string, ports: FilePorts): Promise<void> {
  await refuseExisting(path, ports.files);
  await ports.files.writeFile(path, new TextEncoder().encode(text));
}

/**
 * Copies what makes up a piece of content into a folder, under the same relative path. Gives the path of its file there.
 * Rejects with EngineError `exists` when it is there already.
 */
export async function copyContent(item: Named, place: ContentPlace, folder: string, ports: FilePorts): Promise<string> {
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

async function refuseExisting(path: string, files: FileSystem): Promise<void> {
  const there = await files.stat(path).catch((error: unknown) => {
    if (EngineError.is(error, 'not-found') || EngineError.is(error, 'not-directory')) return undefined;
    throw error;
  });
  if (there) throw new EngineError('exists', `${path} exists already. Open it, or choose another name.`);
}
