import * as z from 'zod';
import type { FileSystem, PathStyle } from '../../ports';
import type { FileChange } from '../../permissions/approvalHandler';
import { type AnyTool, defineTool } from '../tool';
import type { ToolContext } from '../toolContext';
import { applyChange } from './applyChange';
import { lineEndingOf, withLineEnding } from './lineEnding';
import { proposedChange } from './proposedChange';
import { readTextFile } from './readTextFile';
import { resolvePath } from './resolvePath';

const input = z.strictObject({ path: z.string().min(1), contents: z.string() });
type Input = z.infer<typeof input>;

/** `fs_write`: a whole file. */
export function writeFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  async function proposal({ path, contents }: Input, { workspace, seen, strike }: ToolContext): Promise<FileChange> {
    const resolved = resolvePath(paths, workspace, path);
    const file = await readTextFile(files, resolved);
    await seen.checkReplaced(files, resolved, file?.text ?? null);
    return proposedChange(resolved, file, written(file?.text ?? null, contents), strike);
  }
  return defineTool<Input>({
    name: 'fs_write',
    description:
      'Creates a file with its folders, or replaces the whole of one; read that first. For a part of a file use fs_edit.',
    category: 'write',
    input,
    title: ({ path }) => `Write ${path}`,
    permission: ({ path }) => ({ tool: 'fs_write', category: 'write', paths: [path] }),
    preview: proposal,
    async run(call, context) {
      const { shown } = resolvePath(paths, context.workspace, call.path);
      const approved = context.change ?? (await proposal(call, context));
      return applyChange(files, approved, shown, (before) => written(before, call.contents), context);
    },
  });
}

/** A file with Windows line endings keeps them; models write `\n`. */
function written(before: string | null, contents: string): string {
  return before !== null && lineEndingOf(before) === '\r\n' ? withLineEnding(contents, '\r\n') : contents;
}
