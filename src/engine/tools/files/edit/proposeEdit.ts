import type { FileChange } from '../../../permissions/approvalHandler';
import type { FileSystem, PathStyle } from '../../../ports';
import type { ToolContext } from '../../toolContext';
import { ToolFailure, type ToolOutput } from '../../toolOutput';
import { missingPath } from '../missingPath';
import { lineEndingOf, readTextFile, withLineEnding, withoutLineNumbers } from '../readTextFile';
import { resolvePath } from '../resolvePath';
import { similarLines } from '../similarLines';
import { applyChange } from './applyChange';
import { markHint, proposedChange } from './proposedChange';

const MAX_LINE_NUMBERS = 10;

interface EditCall {
  path: string;
  old_string: string;
  new_string: string;
  replace_all?: boolean | undefined;
}

interface Place {
  files: FileSystem;
  paths: PathStyle;
}

/** Computes an exact replacement. Throws ToolFailure if it does not apply. */
export async function proposeEdit(
  call: EditCall,
  { workspace, strike }: ToolContext,
  { files, paths }: Place,
): Promise<FileChange> {
  const resolved = resolvePath(paths, workspace, call.path);
  const file = await readTextFile(files, resolved);
  if (!file) throw withAdvice(await missingPath(files, paths, workspace, resolved, 'file'));
  return proposedChange(resolved, file, edited(file.text, call, resolved.shown, strike).text, strike);
}

export async function runEdit(call: EditCall, context: ToolContext, place: Place): Promise<ToolOutput> {
  const { shown } = resolvePath(place.paths, context.workspace, call.path);
  const approved = context.change ?? (await proposeEdit(call, context, place));
  const propose = (before: string | null) => edited(before ?? '', call, shown, context.strike);
  const output = await applyChange(place.files, approved, shown, (before) => propose(before).text, context);
  const { note } = propose(approved.before);
  return note === '' ? output : { ...output, text: `${output.text} ${note}` };
}

function edited(
  text: string,
  call: EditCall,
  shown: string,
  strike: ToolContext['strike'],
): { text: string; note: string } {
  const { old_string: old, new_string: now, replace_all: all = false } = call;
  if (old === '') throw badArguments('old_string is empty. To write a whole file use fs_write.');
  if (old === now) throw badArguments('old_string and new_string are the same, so there is nothing to change.');
  const { replacement, note } = meantEdit(text, { old, now, all });
  if (replacement.kind === 'replaced') return { text: replacement.text, note };
  if (replacement.kind === 'missing') throw notFound(text, old, shown, strike);
  throw ambiguous(replacement.lines, shown);
}

function notFound(text: string, old: string, shown: string, strike: ToolContext['strike']): ToolFailure {
  if (text === '') return new ToolFailure('failed', `${shown} is empty, so old_string is not in it. Use fs_write.`);
  const plain = withoutLineNumbers(old);
  const numbered = plain === old ? '' : ' It has line numbers: leave out the number and the tab of each line.';
  const similar = `${indentation(text, plain)}${similarLines(text, plain)}`;
  const help = similar || 'Nothing in the file is like it. Read the file again with fs_read.';
  return new ToolFailure(
    'failed',
    `old_string is not in ${shown}; it must match exactly.${markHint(text, old, strike)}${numbered} ${help}`,
  );
}

/** Points out what a model cannot see in the lines it is shown: that one side indents with tabs and the other with spaces. */
function indentation(text: string, old: string): string {
  const [file, asked] = [text, old].map((one) => ({ tabs: /^\t/m.test(one), spaces: /^ {2}/m.test(one) }));
  if (file?.tabs && !file.spaces && asked?.spaces) return 'The file indents with tabs, old_string with spaces. ';
  if (file?.spaces && !file.tabs && asked?.tabs) return 'The file indents with spaces, old_string with tabs. ';
  return '';
}

function withAdvice({ kind, message }: ToolFailure): ToolFailure {
  return new ToolFailure(kind, `${message} To create it use fs_write.`);
}

function ambiguous(lines: readonly number[], shown: string): ToolFailure {
  const more = lines.length > MAX_LINE_NUMBERS ? ', ...' : '';
  const where = lines.slice(0, MAX_LINE_NUMBERS).join(', ');
  return new ToolFailure(
    'failed',
    `old_string occurs ${lines.length} times in ${shown}, at lines ${where}${more}. Add lines around it until it is unique, or set replace_all.`,
  );
}

function badArguments(message: string): ToolFailure {
  return new ToolFailure('bad-arguments', message);
}

/** The arguments of an exact replacement. */
interface WantedEdit {
  old: string;
  now: string;
  all: boolean;
}

interface MeantEdit {
  replacement: Replacement;
  /** For the model: how the call was interpreted, if not literally; otherwise empty. */
  note: string;
}

/**
 * Makes the replacement as written. If it does not match, corrects common slips of models in both texts: line numbers from the
 * output of `fs_read`, and doubled escapes. A slip only counts as one if the corrected text is in the file.
 */
function meantEdit(text: string, { old, now, all }: WantedEdit): MeantEdit {
  const written = replaceText(text, old, now, all);
  if (written.kind !== 'missing') return { replacement: written, note: '' };
  for (const [read, note] of [
    [withoutLineNumbers, 'The line numbers in old_string were left out; copy the text without them.'],
    [unescaped, 'The escapes in old_string were read once more; write line breaks and tabs as themselves.'],
  ] as const) {
    const plain = read(old);
    if (plain === old || plain === '') continue;
    const replacement = replaceText(text, plain, read(now), all);
    if (replacement.kind !== 'missing') return { replacement, note };
  }
  return { replacement: written, note: '' };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', "'": "'", '\\': '\\' };

/** Only unescapes a text without line breaks: in one that has both, the escapes are intended. */
function unescaped(text: string): string {
  if (text.includes('\n')) return text;
  return text.replace(/\\([nrt"'\\])/g, (_, sign: string) => ESCAPES[sign] ?? sign);
}

type Replacement =
  | { kind: 'replaced'; text: string }
  | { kind: 'missing' }
  /** `lines`: where the matches begin, from 1. */
  | { kind: 'ambiguous'; lines: number[] };

/**
 * Replaces `old`, which must occur once unless `all` is set. Only line endings are not matched literally: any in `old` matches
 * any in the text, and those in `now` become the ones used at the place of the match.
 */
export function replaceText(text: string, old: string, now: string, all: boolean): Replacement {
  const matches = findAll(text, old, !all);
  if (matches.length === 0) return { kind: 'missing' };
  if (!all && matches.length > 1) return { kind: 'ambiguous', lines: matches.map(({ at }) => lineAt(text, at)) };
  const usual = lineEndingOf(text);
  const parts: string[] = [];
  let end = 0;
  for (const { at, found } of matches) {
    const ending = found.includes('\n') ? lineEndingOf(found) : usual;
    parts.push(text.slice(end, at), withLineEnding(now, ending));
    end = at + found.length;
  }
  return { kind: 'replaced', text: parts.join('') + text.slice(end) };
}

/** Finds the occurrences of `old`; `overlapping` ones count if there must be only one. */
function findAll(text: string, old: string, overlapping: boolean): { at: number; found: string }[] {
  const source = old.split(/\r?\n/).map(escaped).join('\\r?\\n');
  const pattern = new RegExp(source, 'g');
  const places: { at: number; found: string }[] = [];
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    places.push({ at: match.index, found: match[0] });
    if (overlapping) pattern.lastIndex = match.index + 1;
  }
  return places;
}

function escaped(line: string): string {
  return line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
