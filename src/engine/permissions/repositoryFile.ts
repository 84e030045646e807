import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';

/** A repository's instructions are text; anything larger is something else. */
const MAX_BYTES = 1024 * 1024;

/** Text for models or people, and what a skill brings along. */
const WORDS = /\.(?:mdc?|txt)$|(?:^|\/)skills?\/[^/]+\//i;

type PathPorts = { files: Pick<FileSystem, 'readFile' | 'stat' | 'realPath'>; paths: PathStyle };

/**
 * Reads a file with which a repository addresses agents. It may be a link, but only to another file of the workspace that is not
 * protected; otherwise its content, perhaps a key, would reach a model. Throws EngineError `denied` for a path that leads
 * elsewhere, is not a regular file (reading a pipe or a device may never end), or is larger than 1 MB. Also throws file system
 * errors.
 */
export async function readRepositoryFile(path: string, workspace: string, ports: PathPorts): Promise<Uint8Array> {
  await refuseElsewhere(path, workspace, ports);
  const { kind, size } = await ports.files.stat(path);
  if (kind === 'directory') throw new EngineError('is-directory', `${path} is a folder.`);
  if (kind !== 'file') throw refusal(path, 'is not a regular file');
  if (size > MAX_BYTES) throw refusal(path, 'has more than 1 MB');
  const bytes = await ports.files.readFile(path);
  // It may have grown, or be a system file that reports no size.
  if (bytes.length > MAX_BYTES) throw refusal(path, 'has more than 1 MB');
  return bytes;
}

/**
 * Throws EngineError `denied` for a path that leads out of the workspace, or through a link to something protected in it. The files
 * in a folder must be checked themselves.
 */
export async function refuseElsewhere(
  path: string,
  workspace: string,
  { files, paths }: PathPorts,
  kind: 'file' | 'folder' = 'file',
): Promise<void> {
  const [home, real] = await Promise.all([files.realPath(workspace), files.realPath(path)]);
  const relative = paths.relative(home, real);
  // On Windows, the relative path to another drive is absolute.
  if (relative === '..' || relative.startsWith('../') || paths.isAbsolute(relative))
    throw refusal(path, 'is a link that leads out of the workspace');
  const isLinked = real !== paths.resolve(home, paths.relative(workspace, path));
  if (isLinked && (await holdsSecrets(relative, kind))) throw refusal(path, `is a link to a protected ${kind}`);
}

/**
 * Whether a path relative to the workspace is protected against being read. The folders of agents are protected against writing
 * only.
 */
export async function holdsSecrets(relative: string, kind: 'file' | 'folder' = 'file'): Promise<boolean> {
  const { AGENT_FOLDERS, AGENT_RULES, protectedPart } = await import('./protectedPaths');
  const ofAgents = ['.github', ...AGENT_FOLDERS, ...AGENT_RULES];
  const parts = relative.split('/');
  const isWords = kind === 'folder' || WORDS.test(relative) || AGENT_RULES.includes(parts.at(-1) ?? '');
  const others = isWords ? parts.filter((part) => !ofAgents.includes(part)).join('/') : relative;
  return protectedPart(others) !== undefined;
}

function refusal(path: string, why: string): EngineError {
  return new EngineError('denied', `${path} ${why}, so it was not read. Put a file with the text itself in its place.`);
}
