import type { Uri } from 'vscode';
import {
  type Attachment,
  decodeText,
  type FileSystem,
  MAX_ATTACHED_BYTES,
  type PathStyle,
  protectedPart,
  textAttachment,
} from '../../engine';
import type { GitRepository } from '../editor/gitRepositories';

const MAX_DIFF = 60_000;
const MAX_NEW_FILES = 200;
const LEFT_OUT = '(the rest of the diff is left out; git diff gives it)';
/** `Status.UNTRACKED` of the Git extension. */
const UNTRACKED = 7;

interface Machine {
  files: FileSystem;
  paths: PathStyle;
}

type Changed = Pick<GitRepository, 'diff' | 'status' | 'state'> & { rootUri: Pick<Uri, 'fsPath'> };

/**
 * Builds an attachment with uncommitted changes: the diff of tracked files, followed by new files as diffs while there is room.
 * Large, binary, protected, or linked files, and those without room, are listed by name only.
 */
export async function gitChanges(
  machine: Machine,
  repositories: readonly Changed[],
  label: string,
): Promise<Attachment> {
  const diffs = await Promise.all(repositories.map(async (one) => (await one.diff(true)) + (await one.diff(false))));
  const tracked = diffs.filter((diff) => diff !== '').join('\n');
  const cut = tracked.length > MAX_DIFF;
  const shown = cut ? `${tracked.slice(0, MAX_DIFF)}\n${LEFT_OUT}` : tracked;
  const fresh = await newFiles(machine, repositories, MAX_DIFF - shown.length);
  const source = { kind: 'changes' as const, label, ...(cut && { note: 'The beginning of a long diff' }) };
  const all = [shown.trimEnd(), ...fresh].filter((part) => part !== '').join('\n');
  return textAttachment(source, 'git diff of what is not committed', all || '(git sees no changes)');
}

async function newFiles(machine: Machine, repositories: readonly Changed[], room: number): Promise<string[]> {
  const found = (await Promise.all(repositories.map((one) => newPaths(one, machine.paths)))).flat();
  const diffs: string[] = [];
  const named: string[] = [];
  let left = room;
  for (const { path, shown } of found.slice(0, MAX_NEW_FILES)) {
    const diff = await newFileDiff(machine, path, shown, left).catch(() => undefined);
    left -= diff?.length ?? 0;
    if (diff === undefined) named.push(shown);
    else diffs.push(diff);
  }
  if (named.length > 0) diffs.push('New files that are not shown here:', ...named);
  const more = found.length - MAX_NEW_FILES;
  return more > 0 ? [...diffs, `(${more} more new files; git status names them)`] : diffs;
}

/** Files that Git neither tracks nor ignores. */
async function newPaths(repository: Changed, paths: PathStyle) {
  // The editor refreshes the state only occasionally.
  await repository.status();
  const { workingTreeChanges, untrackedChanges = [] } = repository.state;
  const found = [...workingTreeChanges, ...untrackedChanges].filter(({ status }) => status === UNTRACKED);
  return [...new Set(found.map(({ uri }) => uri.fsPath))]
    .sort()
    .map((path) => ({ path, shown: paths.relative(repository.rootUri.fsPath, path) }));
}

/** The diff that Git would show once the file is added; undefined if it must not be shown or exceeds `room`. */
async function newFileDiff({ files, paths }: Machine, path: string, shown: string, room: number) {
  if (protectedPart(shown) !== undefined) return undefined;
  const { kind, size } = await files.stat(path);
  if (kind !== 'file' || size > Math.min(room, MAX_ATTACHED_BYTES)) return undefined;
  // The target of a link is not part of the repository.
  const place = paths.resolve(await files.realPath(paths.dirname(path)), paths.basename(path));
  if ((await files.realPath(path)) !== place) return undefined;
  const text = decodeText(await files.readFile(path))?.text;
  if (text === undefined) return undefined;
  const head = [`diff --git a/${shown} b/${shown}`, 'new file', '--- /dev/null', `+++ b/${shown}`];
  const lines = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  const body = lines.length === 0 ? [] : [`@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)];
  const diff = [...head, ...body].join('\n');
  return diff.length > room ? undefined : diff;
}
