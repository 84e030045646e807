import type { FileChange } from '../../../permissions/approvalHandler';
import type { FileSystem, PathStyle } from '../../../ports';
import type { ToolOutput } from '../../toolOutput';
import type { ToolContext } from '../../toolContext';
import { ToolFailure } from '../../toolFailure';
import { markHint } from '../guard/hiddenSecrets';
import { missingPath } from '../missingPath';
import { withoutLineNumbers } from '../numberedLine';
import { readTextFile } from '../readTextFile';
import { resolvePath } from '../resolvePath';
import { similarLines } from '../similarLines';
import { applyChange } from './applyChange';
import { meantEdit } from './meantEdit';
import { proposedChange } from './proposedChange';

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

/** What an exact replacement would change. Throws ToolFailure where it does not fit. */
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

/** What a model cannot see in the lines that it is shown: that one of the two indents with tabs and the other with spaces. */
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
