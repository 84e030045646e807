import * as z from '../../../base/zod';
import type { FileSystem, PathStyle } from '../../ports';
import { type AnyTool, defineTool } from '../tool';

const input = z.strictObject({
  path: z.string().check(z.minLength(1)),
  old_string: z.string().check(z.describe('Exact text, without line numbers; must occur once unless replace_all')),
  new_string: z.string(),
  replace_all: z.optional(z.boolean()),
});
type Input = z.infer<typeof input>;

/** `fs_edit`: exact replacement in one file. What makes it is loaded with the first. */
export function editFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  const place = { files, paths };
  return defineTool<Input>({
    name: 'fs_edit',
    description:
      'Replaces old_string with new_string in a file. Copy old_string with its indentation, only as long as it must be to occur once. For several places use fs_patch; for a new file fs_write.',
    category: 'write',
    traits: { kind: 'files', doing: 'Editing' },
    input,
    title: ({ path }) => `Edit ${path}`,
    permission: ({ path }) => ({ tool: 'fs_edit', category: 'write', paths: [path] }),
    preview: async (call, context) => (await import('./edit/proposeEdit')).proposeEdit(call, context, place),
    run: async (call, context) => (await import('./edit/proposeEdit')).runEdit(call, context, place),
  });
}
