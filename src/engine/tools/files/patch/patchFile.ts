import * as z from 'zod';
import type { FileSystem, PathStyle } from '../../../ports';
import type { FileChange } from '../../../permissions/approvalHandler';
import { type AnyTool, defineTool } from '../../tool';
import { ToolFailure } from '../../toolFailure';
import { applyChange } from '../applyChange';
import { missingPath } from '../missingPath';
import { proposedChange } from '../proposedChange';
import { readTextFile } from '../readTextFile';
import { type ResolvedPath, resolvePath } from '../resolvePath';
import { type AppliedPatch, applyPatch } from './applyPatch';
import { type ParsedPatch, parsePatch } from './parsePatch';

const NOWHERE = '/dev/null';

const input = z.strictObject({ path: z.string().min(1), contents: z.string().describe('Unified diff of this file') });
type Input = z.infer<typeof input>;

/** `fs_patch`: a unified diff on one file. */
export function patchFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  async function proposal({ path, contents }: Input, workspace: string): Promise<FileChange> {
    const patch = parsePatch(contents);
    const resolved = resolvePath(paths, workspace, path);
    refuseOtherFile(patch, resolved);
    const file = await readTextFile(files, resolved);
    if (!file && !createsFile(patch)) throw await missingPath(files, paths, workspace, resolved, 'file');
    const { text } = patched(file?.text ?? null, patch, resolved.shown);
    if (text === file?.text) {
      throw new ToolFailure('bad-arguments', 'The diff takes away what it adds, so there is nothing to change.');
    }
    return proposedChange(resolved, file, text);
  }
  return defineTool<Input>({
    name: 'fs_patch',
    description: 'Applies a unified diff to one file, for several changes at once. Hunks need lines of context.',
    category: 'write',
    input,
    title: ({ path }) => `Patch ${path}`,
    permission: ({ path }) => ({ tool: 'fs_patch', category: 'write', paths: [path] }),
    preview: (call, { workspace }) => proposal(call, workspace),
    async run(call, { workspace, change }) {
      const { shown } = resolvePath(paths, workspace, call.path);
      const approved = change ?? (await proposal(call, workspace));
      const propose = (before: string | null) => patched(before, parsePatch(call.contents), shown);
      const output = await applyChange(files, approved, shown, (before) => propose(before).text);
      const { notes } = propose(approved.before);
      return { ...output, text: [output.text, ...notes].join('\n') };
    },
  });
}

function patched(before: string | null, patch: ParsedPatch, shown: string): AppliedPatch {
  if (before !== null && before !== '' && patch.oldName === NOWHERE) {
    throw new ToolFailure('failed', `The diff creates ${shown}, but it exists. Read it with fs_read, then change it.`);
  }
  return applyPatch(before ?? '', patch.hunks, shown);
}

function createsFile({ oldName, hunks }: ParsedPatch): boolean {
  const onlyAdds = hunks.every(({ rows }) => rows.every(({ mark }) => mark === '+'));
  return onlyAdds && (oldName === NOWHERE || hunks.every(({ oldStart }) => oldStart === 0));
}

/** A diff names its file; when that is another one, the model has mixed something up. */
function refuseOtherFile({ oldName, newName }: ParsedPatch, { relative, absolute, shown }: ResolvedPath): void {
  if (newName === NOWHERE) throw new ToolFailure('bad-arguments', `The diff removes ${shown}. Use fs_rm for that.`);
  const names = [newName, oldName].filter((name) => name !== null && name !== NOWHERE && name !== '');
  const fits = (name: string | null) =>
    name !== null &&
    [relative, absolute.replaceAll('\\', '/')].some((path) => sameEnd(path, name.replaceAll('\\', '/')));
  if (names.length === 0 || names.some(fits)) return;
  throw new ToolFailure(
    'bad-arguments',
    `The diff is for ${names[0]}, and path is ${shown}. Call fs_patch with the path of the file that the diff is for.`,
  );
}

function sameEnd(path: string, name: string): boolean {
  const plain = name.replace(/^(\.?\/)+/, '');
  return path === name || path === plain || path.endsWith(`/${plain}`) || plain.endsWith(`/${path}`);
}
