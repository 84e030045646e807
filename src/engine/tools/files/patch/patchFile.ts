import * as z from '../../../../base/zod';
import type { FileSystem, PathStyle } from '../../../ports';
import { type AnyTool, defineTool } from '../../tool';
import { resolvePath } from '../resolvePath';

const input = z.strictObject({
  path: z.string().check(z.minLength(1)),
  contents: z.string().check(z.describe('Unified diff of this one file')),
});
type Input = z.infer<typeof input>;

/** `fs_patch`: a unified diff on one file. What reads and places diffs is loaded with the first. */
export function patchFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<Input>({
    name: 'fs_patch',
    description:
      'Applies a unified diff to one file: hunks that begin with "@@ -10,3 +10,4 @@", lines with a space, - or + in front, two lines of context around each change. Line numbers may be off; context may not.',
    category: 'write',
    traits: { kind: 'files', doing: 'Patching' },
    input,
    title: ({ path }) => `Patch ${path}`,
    permission: ({ path }) => ({ tool: 'fs_patch', category: 'write', paths: [path] }),
    async preview(call, { workspace, strike }) {
      const { proposePatch } = await import('./proposePatch');
      return proposePatch(call, workspace, { files, paths, strike });
    },
    async run(call, context) {
      const { patched, proposePatch } = await import('./proposePatch');
      const { applyChange } = await import('../edit/applyChange');
      const { shown } = resolvePath(paths, context.workspace, call.path);
      const approved =
        context.change ?? (await proposePatch(call, context.workspace, { files, paths, strike: context.strike }));
      const propose = (before: string | null) => patched(before, call.contents, shown);
      const output = await applyChange(files, approved, shown, (before) => propose(before).text, context);
      const { notes } = propose(approved.before);
      return { ...output, text: [output.text, ...notes].join('\n') };
    },
  });
}
