import { ToolFailure } from '../../toolFailure';
import { textLines } from '../textLines';
import type { PatchHunk } from './patchHunk';
import { MAIL_END, type PatchLines, readHunk } from './readHunk';

const FILE = /^\*\*\* (Update|Add|Delete) File: (.+?)\s*$/;

/** A unified diff of one file. Names are as written, without `a/` and `b/`; null where the diff has none. */
export interface ParsedPatch {
  oldName: string | null;
  newName: string | null;
  hunks: readonly PatchHunk[];
}

/** What a diff may say that is not about lines of text. */
const UNSUPPORTED = [
  { pattern: /^(GIT binary patch|Binary files .* differ)/, what: 'a binary file' },
  { pattern: /^(rename|copy) (from|to) /, what: 'renaming or copying a file; use execute_command (git mv, mv, cp)' },
];

/** Reads a unified diff of one file. Throws ToolFailure, naming the line of the diff, for what is none. */
export function parsePatch(contents: string): ParsedPatch {
  const lines = unifiedLines(patchLines(contents));
  const hunks: PatchHunk[] = [];
  const oldNames: string[] = [];
  const newNames: string[] = [];
  const at: PatchLines = { lines, next: 0 };
  while (at.next < lines.length) {
    const line = lines[at.next] ?? '';
    if (line.startsWith('@@')) {
      hunks.push(readHunk(at, hunks.length + 1));
      continue;
    }
    if (line === MAIL_END) break;
    at.next++;
    if (line.startsWith('--- ')) oldNames.push(nameIn(line));
    else if (line.startsWith('+++ ')) newNames.push(nameIn(line));
    else refuseStray(line, at.next, hunks.length);
  }
  if (oldNames.length > 1 || newNames.length > 1) {
    throw refused(
      `contents has the diffs of several files (${[...newNames].join(', ')}). Call fs_patch once for each.`,
    );
  }
  if (hunks.length === 0) throw refused(noHunks(contents));
  return { oldName: oldNames[0] ?? null, newName: newNames[0] ?? null, hunks };
}

/** The lines of the diff itself; models often put it between code fences. */
function patchLines(contents: string): string[] {
  const lines = textLines(contents);
  const fence = lines.findIndex((line) => line.trim() !== '');
  if (!/^```/.test(lines[fence] ?? '')) return lines;
  const end = lines.findLastIndex((line) => line.trim() === '```');
  return lines.slice(fence + 1, end > fence ? end : undefined);
}

/** Above the first hunk anything may stand; below, a row without its sign is a mistake that would change the meaning. */
function refuseStray(line: string, number: number, hunks: number): void {
  const unsupported = UNSUPPORTED.find(({ pattern }) => pattern.test(line));
  if (unsupported)
    throw refused(
      `Line ${number} of the diff is about ${unsupported.what}. fs_patch takes a unified diff of one text file.`,
    );
  if (
    hunks === 0 ||
    line.trim() === '' ||
    /^(diff|index|old mode|new mode|deleted file|new file|similarity) /.test(line)
  )
    return;
  throw refused(
    `Line ${number} of the diff belongs to no hunk: ${JSON.stringify(line.slice(0, 100))}. Each line of a hunk begins with a space, - or +.`,
  );
}

/** `a/src/x.ts`, with a time or quotes around it, → `src/x.ts`. */
function nameIn(line: string): string {
  const name = line
    .slice(4)
    .replace(/\t.*$/, '')
    .trim()
    .replace(/^"(.*)"$/, '$1');
  return /^[abciow]\//.test(name) ? name.slice(2) : name;
}

function noHunks(contents: string): string {
  if (contents.trim() === '') return 'contents is empty: there is no diff in it.';
  return 'contents has no hunk, so nothing would change. A hunk begins with @@ -10,3 +10,4 @@ and each of its lines with a space, - or +. To write a whole file use fs_write.';
}

function refused(message: string): ToolFailure {
  return new ToolFailure('bad-arguments', message);
}

/**
 * The lines of a patch between `*** Begin Patch` and `*** End Patch`, as some models are taught to write it, as those of a
 * unified diff; other lines as they are. Throws ToolFailure where it is about anything else than changes in one file.
 */
function unifiedLines(lines: readonly string[]): readonly string[] {
  const begin = lines.findIndex((line) => /^\*\*\* (Begin Patch|(Update|Add|Delete) File: )/.test(line));
  if (begin < 0) return lines;
  const end = lines.findIndex((line) => line.startsWith('*** End Patch'));
  const inside = lines.slice(begin, end < 0 ? undefined : end);
  const named = inside.flatMap((line) => FILE.exec(line)?.slice(1, 3) ?? []);
  const [kind, name] = named;
  if (named.length > 2)
    throw refused('contents has changes of several files. Call fs_patch once for each, with its own part.');
  if (kind === undefined || name === undefined) throw refused('contents names no file after *** Begin Patch.');
  if (kind === 'Add') throw refused(`To create ${name} use fs_write with its whole text.`);
  if (kind === 'Delete') throw refused(`To remove ${name} use fs_rm.`);
  if (inside.some((line) => line.startsWith('*** Move to:')))
    throw refused('To move a file use execute_command (git mv, mv).');
  const body = inside.filter((line) => !/^\*\*\* (Begin Patch|Update File|End of File)/.test(line));
  const first = body.findIndex((line) => line.trim() !== '');
  const hunks = (body[first] ?? '').startsWith('@@') ? body : ['@@', ...body];
  return [`--- ${name}`, `+++ ${name}`, ...hunks];
}
