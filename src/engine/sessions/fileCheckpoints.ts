import { errorText } from '../../base/errorText';
import { newId } from '../../base/newId';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import type { AgentSession } from './agentSession';

/** A file as it was before a tool changed it. */
export interface FileBefore {
  /** Absolute. */
  path: string;
  /** Null when it did not exist. */
  bytes: Uint8Array | null;
  /** True when somebody changed it after the agent did, so that restoring would undo that as well. */
  changedSince: boolean;
}

export interface CheckpointPorts {
  files: FileSystem;
  paths: PathStyle;
}

/**
 * Runs `change` and keeps how the files were before, in the session's folder, so that they can be restored without anything
 * of the person's git. Throws what `change` throws; then nothing is kept.
 */
export async function withCheckpoint<T>(
  session: AgentSession,
  touched: readonly string[],
  ports: CheckpointPorts,
  change: () => Promise<T>,
): Promise<T> {
  const copies: { path: string; before: string | null }[] = [];
  for (const path of touched) copies.push({ path, before: await keepCopy(session, path, ports) });
  const result = await change();
  for (const { path, before } of copies) {
    const after = await readIfThere(path, ports.files);
    await session.fileChanged({ path, before, after: after && (await digest(after)) });
  }
  return result;
}

async function keepCopy(session: AgentSession, path: string, ports: CheckpointPorts): Promise<string | null> {
  const bytes = await readIfThere(path, ports.files);
  if (bytes === null) return null;
  const name = newId('before');
  await ports.files.writeFile(blobPath(session, name, ports), bytes);
  return name;
}

/** The files that were changed since a message of the person, each as it was then. Empty when the message is unknown. */
export async function filesBefore(
  session: AgentSession,
  messageId: string,
  ports: CheckpointPorts,
): Promise<FileBefore[]> {
  const start = session.history.findIndex((entry) => entry.type === 'message' && entry.message.id === messageId);
  const changes = session.history
    .slice(Math.max(start, 0))
    .flatMap((entry) => (entry.type === 'file-changed' ? [entry] : []));
  const paths = start < 0 ? [] : [...new Set(changes.map(({ path }) => path))];
  return Promise.all(
    paths.map(async (path) => {
      const ofPath = changes.filter((change) => change.path === path);
      const kept = ofPath[0]?.before ?? null;
      const bytes = kept === null ? null : await ports.files.readFile(blobPath(session, kept, ports));
      const now = await readIfThere(path, ports.files);
      const changedSince = (now && (await digest(now))) !== (ofPath.at(-1)?.after ?? null);
      return { path, bytes, changedSince };
    }),
  );
}

/**
 * Puts the files back: writes what was there, and removes what was not, to the trash where there is one. Rejects with
 * EngineError `io` that names what could not be put back, after everything else was.
 */
export async function restoreFiles(before: readonly FileBefore[], files: FileSystem): Promise<void> {
  const problems: unknown[] = [];
  for (const { path, bytes } of before) {
    const done = bytes === null ? removeCreated(path, files) : files.writeFile(path, bytes);
    await done.catch((error: unknown) => problems.push(error));
  }
  if (problems.length > 0) throw new EngineError('io', problems.map(errorText).join('\n'), { cause: problems[0] });
}

async function removeCreated(path: string, files: FileSystem): Promise<void> {
  if (!files.trash) return files.remove(path);
  // Somebody may have removed it since, which a trash takes for an error.
  if ((await readIfThere(path, files)) !== null) await files.trash(path);
}

/** Where a kept file is in its session's folder. */
export function checkpointFile(name: string): string {
  return `checkpoints/${name}`;
}

function blobPath(session: AgentSession, name: string, { paths }: CheckpointPorts): string {
  return paths.resolve(session.folder, checkpointFile(name));
}

async function readIfThere(path: string, files: FileSystem): Promise<Uint8Array | null> {
  return files.readFile(path).catch((error: unknown) => {
    if (EngineError.is(error, 'not-found')) return null;
    throw error;
  });
}

async function digest(bytes: Uint8Array): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
