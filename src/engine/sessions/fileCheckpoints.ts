import { errorText } from '../../base/errors';
import { newId } from '../../base/newId';
import { isBelow } from '../content/contentRoots';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import type { AgentSession } from './agentSession';
import { readStored } from './parseHistory';
import type { SessionEntry } from './sessionEntry';

/** A file as it was before a tool changed it. */
export interface FileBefore {
  /** Absolute path. */
  path: string;
  /** The real path that the tool changed. Nothing is restored where `path` leads elsewhere. */
  real: string;
  /** Null if the file did not exist or was not kept. */
  bytes: Uint8Array | null;
  /** True if the file was changed after the agent's change, so that restoring would undo that as well. */
  changedSince: boolean;
  /** Digest of the current contents; null if the file does not exist. Later changes are not overwritten. */
  now: string | null;
  /** True if the file was too large or one of too many to keep, so that it cannot be restored. */
  notKept: boolean;
}

interface CheckpointPorts {
  files: FileSystem;
  paths: PathStyle;
}

interface ChangingPorts extends CheckpointPorts {
  /** Returns the real path that a changed file had when the change was judged. Default: the current one. */
  readonly placeOf?: (path: string) => Promise<string>;
}

/** Which of the files that a tool is about to change are copied, and which are too large or too many for that. */
export interface CheckpointPlan {
  kept: readonly string[];
  notKept: readonly string[];
}

/** Limits per call. Anything larger was built or downloaded rather than written. */
const MAX_FILES = 1000;
const MAX_FILE_BYTES = 20_000_000;
const MAX_BYTES = 100_000_000;
const AT_A_TIME = 20;

/** Determines which of these files can be copied without filling the disk. */
export async function planCheckpoint(touched: readonly string[], files: FileSystem): Promise<CheckpointPlan> {
  const kept: string[] = [];
  const notKept: string[] = [];
  let left = MAX_BYTES;
  for (const path of touched) {
    const size = kept.length < MAX_FILES ? await sizeOf(path, files) : Infinity;
    const fits = size <= Math.min(MAX_FILE_BYTES, left);
    (fits ? kept : notKept).push(path);
    if (fits) left -= size;
  }
  return { kept, notKept };
}

/** Returns 0 if the file does not exist. Pipes and devices count as infinite. */
async function sizeOf(path: string, files: FileSystem): Promise<number> {
  try {
    const { kind, size } = await files.stat(path);
    return kind === 'other' ? Infinity : size;
  } catch (error) {
    if (EngineError.is(error, 'not-found')) return 0;
    throw error;
  }
}

/**
 * Runs `change` and keeps the previous contents of the files in the session's folder, so that they can be restored independently
 * of the user's git repository. The copies are on disk before `change` starts, so that an incomplete change can be restored too.
 * Throws what `change` throws.
 */
export async function withCheckpoint<T>(
  session: AgentSession,
  { kept, notKept }: CheckpointPlan,
  ports: ChangingPorts,
  change: () => Promise<T>,
): Promise<T> {
  const copies = await eachOf(kept, (path) => keepCopy(session, path, ports));
  await Promise.all(notKept.map((path) => session.fileChanged({ path, before: null, kept: false })));
  const complete = () => eachOf(copies, (copy) => completeCopy(session, copy, ports.files));
  let result: T;
  try {
    result = await change();
  } catch (error) {
    // The copies already exist, and the original error matters more than a failure to record the result.
    await complete().catch(() => undefined);
    throw error;
  }
  await complete();
  return result;
}

/** Runs in batches: each waits for the disk once, and memory use stays low. */
async function eachOf<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < all.length; at += AT_A_TIME) {
    done.push(...(await Promise.all(all.slice(at, at + AT_A_TIME).map(work))));
  }
  return done;
}

interface Copy {
  path: string;
  real: string;
  before: string | null;
  digest: string | null;
}

async function keepCopy(session: AgentSession, path: string, ports: ChangingPorts): Promise<Copy> {
  const bytes = await readIfThere(path, ports.files);
  const before = bytes && (await keepBytes(session, bytes, ports));
  const real = await (ports.placeOf?.(path) ?? ports.files.realPath(path));
  await session.fileChanged({ path, real, before });
  return { path, real, before, digest: await digestOf(bytes) };
}

async function keepBytes(session: AgentSession, bytes: Uint8Array, ports: CheckpointPorts): Promise<string> {
  const name = newId('before');
  await ports.files.writeFile(blobPath(session, name, ports), bytes);
  return name;
}

async function completeCopy(session: AgentSession, copy: Copy, files: FileSystem): Promise<void> {
  const { path, before } = copy;
  const after = await digestOf(await readIfThere(path, files));
  // A removed link leads nowhere afterwards: what is restored is a file in its place.
  const real = after === null && (await files.realPath(path)) === path ? path : copy.real;
  await session.fileChanged({ path, real, before, after, ...(after === copy.digest && { unchanged: true }) });
}

/** Returns the files changed since a user message, as they were at that time. Empty if the message is unknown. */
export async function filesBefore(
  session: AgentSession,
  messageId: string,
  ports: CheckpointPorts,
): Promise<FileBefore[]> {
  const start = session.history.findIndex((entry) => entry.type === 'message' && entry.message.id === messageId);
  const changes = start < 0 ? new Map<string, Changed[]>() : changesByPath(session.history.slice(start));
  const found = [...changes].map(([path, ofPath]) => fileBefore(session, path, ofPath, ports));
  return (await Promise.all(found)).filter((one) => one !== null);
}

type Changed = Extract<SessionEntry, { type: 'file-changed' }>;

/** Groups changes by file, without those that started but changed nothing. */
function changesByPath(history: readonly SessionEntry[]): Map<string, Changed[]> {
  const byPath = new Map<string, Changed[]>();
  for (const entry of history) {
    if (entry.type !== 'file-changed') continue;
    const changes = byPath.get(entry.path) ?? [];
    byPath.set(entry.path, changes);
    const begun = changes.at(-1);
    if (entry.after !== undefined && begun?.after === undefined && begun?.before === entry.before) changes.pop();
    if (!entry.unchanged) changes.push(entry);
  }
  return byPath;
}

/** Returns null if the file is unchanged. */
async function fileBefore(
  session: AgentSession,
  path: string,
  changes: readonly Changed[],
  ports: CheckpointPorts,
): Promise<FileBefore | null> {
  const [first] = changes;
  if (!first) return null;
  const real = await changedPlace(session, path, changes, ports);
  if (changes.some(({ kept }) => kept === false)) {
    return { path, real, bytes: null, changedSince: false, now: null, notKept: true };
  }
  const copyOf = async ({ before }: Changed) =>
    before === null ? null : readStored(blobPath(session, before, ports), ports.files);
  const bytes = await copyOf(first);
  const now = await digestOf(await readIfThere(path, ports.files));
  // A change without a recorded end was cut off, and may have had no effect.
  if (changes.length === 1 && first.after === undefined && now === (await digestOf(bytes))) return null;
  let last: string | null | undefined;
  let changedSince = false;
  for (const change of changes) {
    if (last !== undefined) changedSince ||= (await digestOf(await copyOf(change))) !== last;
    last = change.after;
  }
  changedSince ||= last === undefined ? now !== null : now !== last;
  return { path, real, bytes, changedSince, now, notKept: false };
}

/**
 * Returns the real path that the changes were made to. If they were made to several, returns one that `path` does not lead to.
 * Histories of older versions do not record it: then a path may lead anywhere within the workspace.
 */
async function changedPlace(
  { metadata }: AgentSession,
  path: string,
  changes: readonly Changed[],
  { files, paths }: CheckpointPorts,
): Promise<string> {
  const real = await files.realPath(path);
  const sinceRemoved = changes.slice(
    Math.max(
      0,
      changes.findLastIndex(({ after }) => after === null),
    ),
  );
  const recorded = sinceRemoved.flatMap((change) => change.real ?? []);
  if (recorded.length > 0) return recorded.find((one) => one !== real) ?? real;
  return isBelow(real, await files.realPath(metadata.workspace), paths) ? real : path;
}

async function digestOf(bytes: Uint8Array | null): Promise<string | null> {
  return bytes && digest(bytes);
}

/**
 * Restores the files: writes those that existed, and removes the others, to the trash if there is one. Skips files that were not
 * kept, and those changed since they were inspected. Rejects with EngineError `io`, which names the files that could not be
 * restored, after processing all others.
 */
export async function restoreFiles(before: readonly FileBefore[], files: FileSystem): Promise<void> {
  const problems: unknown[] = [];
  for (const one of before) {
    if (one.notKept) continue;
    const done = files.inTurn([one.path], () => putBack(one, files), new AbortController().signal);
    await done.catch((error: unknown) => problems.push(error));
  }
  if (problems.length > 0) throw new EngineError('io', problems.map(errorText).join('\n'), { cause: problems[0] });
}

async function putBack({ path, real, bytes, now }: FileBefore, files: FileSystem): Promise<void> {
  const found = await digestOf(await readIfThere(path, files));
  if (found === (await digestOf(bytes))) return;
  const place = await files.realPath(path);
  const leave = (why: string, what: string) =>
    new EngineError('io', `${path} ${why} and is left as it is. ${what}, then restore again.`);
  if (place !== real) throw leave(`now leads to ${place}`, 'Remove the link');
  if (found !== now) throw leave('was changed in the meantime', 'Look at it');
  if (bytes !== null) await files.writeFile(path, bytes, real);
  else await (files.trash ? files.trash(path) : files.remove(path));
}

/** Returns the path of a kept copy within its session's folder. */
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

/** A file change that a tool is about to make. */
export interface WatchedEdit {
  sessionId: string;
  runId: string;
  /** Absolute paths. */
  paths: readonly string[];
  /** True if nobody has seen the change and the approval mode calls for a later review. */
  reviewAfter: boolean;
  /** Ends the tool, even while it waits for other changes of the same files. */
  signal: AbortSignal;
}

/** Wraps every file change by a tool, so that a front end can attribute it. */
export interface EditWatcher {
  /** Runs `change` once, unless it is canceled first; settles like `change`. */
  around<T>(edit: WatchedEdit, change: () => Promise<T>): Promise<T>;
}

/** For front ends without review. */
export const unwatchedEdits: EditWatcher = { around: (_edit, change) => change() };
