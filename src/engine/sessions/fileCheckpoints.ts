import { errorText } from '../../base/errorText';
import { newId } from '../../base/newId';
import { EngineError } from '../engineError';
import type { FileSystem, PathStyle } from '../ports';
import type { AgentSession } from './agentSession';
import type { SessionEntry } from './sessionEntry';

/** A file as it was before a tool changed it. */
export interface FileBefore {
  /** Absolute. */
  path: string;
  /** Null when it did not exist, or was not kept. */
  bytes: Uint8Array | null;
  /** True when somebody changed it after the agent did, so that restoring would undo that as well. */
  changedSince: boolean;
  /** The digest of what it is at this moment, null when it is not there: what comes later is not overwritten. */
  now: string | null;
  /** True when it was too large to be kept, or one of too many, so that it cannot be put back. */
  notKept: boolean;
}

export interface CheckpointPorts {
  files: FileSystem;
  paths: PathStyle;
}

/** What a tool is about to change: which files are kept as they are, and which are too large or too many for that. */
export interface CheckpointPlan {
  kept: readonly string[];
  notKept: readonly string[];
}

/** Of one call. What holds more than this was built or fetched, not written. */
const MAX_FILES = 1000;
const MAX_FILE_BYTES = 20_000_000;
const MAX_BYTES = 100_000_000;
const AT_A_TIME = 20;

/** What of these files can be kept without filling the disk. */
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

/** 0 when there is no such file; a pipe or a device has no end. */
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
 * Runs `change` and keeps how the files were before, in the session's folder, so that they can be restored without anything
 * of the person's git. That they are about to change is on disk before `change` begins, so that half of a change can be
 * restored too, whatever became of the rest. Throws what `change` throws.
 */
export async function withCheckpoint<T>(
  session: AgentSession,
  { kept, notKept }: CheckpointPlan,
  ports: CheckpointPorts,
  change: () => Promise<T>,
): Promise<T> {
  const copies = await eachOf(kept, (path) => keepCopy(session, path, ports));
  await Promise.all(notKept.map((path) => session.fileChanged({ path, before: null, kept: false })));
  const complete = () => eachOf(copies, (copy) => completeCopy(session, copy, ports.files));
  let result: T;
  try {
    result = await change();
  } catch (error) {
    // What was begun is kept already, and why it failed matters more than that its end could not be added.
    await complete().catch(() => undefined);
    throw error;
  }
  await complete();
  return result;
}

/** Some at a time: the disk is waited for once for all of them, and what is held in memory stays small. */
async function eachOf<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let at = 0; at < all.length; at += AT_A_TIME) {
    done.push(...(await Promise.all(all.slice(at, at + AT_A_TIME).map(work))));
  }
  return done;
}

interface Copy {
  path: string;
  before: string | null;
  digest: string | null;
}

async function keepCopy(session: AgentSession, path: string, ports: CheckpointPorts): Promise<Copy> {
  const bytes = await readIfThere(path, ports.files);
  const before = bytes && (await keepBytes(session, bytes, ports));
  await session.fileChanged({ path, before });
  return { path, before, digest: await digestOf(bytes) };
}

async function keepBytes(session: AgentSession, bytes: Uint8Array, ports: CheckpointPorts): Promise<string> {
  const name = newId('before');
  await ports.files.writeFile(blobPath(session, name, ports), bytes);
  return name;
}

async function completeCopy(session: AgentSession, copy: Copy, files: FileSystem): Promise<void> {
  const { path, before } = copy;
  const after = await digestOf(await readIfThere(path, files));
  await session.fileChanged({ path, before, after, ...(after === copy.digest && { unchanged: true }) });
}

/** The files that were changed since a message of the person, each as it was then. Empty when the message is unknown. */
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

/** Of each file, less what was begun and then changed nothing. */
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

/** Null for a file that is as it was. */
async function fileBefore(
  session: AgentSession,
  path: string,
  changes: readonly Changed[],
  ports: CheckpointPorts,
): Promise<FileBefore | null> {
  const [first] = changes;
  if (!first) return null;
  if (changes.some(({ kept }) => kept === false)) {
    return { path, bytes: null, changedSince: false, now: null, notKept: true };
  }
  const copyOf = async ({ before }: Changed) =>
    before === null ? null : ports.files.readFile(blobPath(session, before, ports));
  const bytes = await copyOf(first);
  const now = await digestOf(await readIfThere(path, ports.files));
  // A change of which no end is known was cut off, and may have done nothing.
  if (changes.length === 1 && first.after === undefined && now === (await digestOf(bytes))) return null;
  let last: string | null | undefined;
  let changedSince = false;
  for (const change of changes) {
    if (last !== undefined) changedSince ||= (await digestOf(await copyOf(change))) !== last;
    last = change.after;
  }
  changedSince ||= last === undefined ? now !== null : now !== last;
  return { path, bytes, changedSince, now, notKept: false };
}

async function digestOf(bytes: Uint8Array | null): Promise<string | null> {
  return bytes && digest(bytes);
}

/**
 * Puts the files back: writes what was there, and removes what was not, to the trash where there is one. What was not kept
 * is left as it is, and so is what was changed since it was looked at. Rejects with EngineError `io` that names what could
 * not be put back, after everything else was.
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

async function putBack({ path, bytes, now }: FileBefore, files: FileSystem): Promise<void> {
  const found = await digestOf(await readIfThere(path, files));
  if (found === (await digestOf(bytes))) return;
  if (found !== now)
    throw new EngineError(
      'io',
      `${path} was changed in the meantime and is left as it is. Look at it, then restore again.`,
    );
  if (bytes !== null) await files.writeFile(path, bytes);
  else await (files.trash ? files.trash(path) : files.remove(path));
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
