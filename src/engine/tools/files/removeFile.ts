import * as z from '../../../base/zod';
import type { FileSystem, PathStyle } from '../../ports';
import { type AnyTool, defineTool } from '../tool';

const input = z.strictObject({
  path: z.string().check(z.minLength(1)),
  recursive: z.optional(z.boolean()).check(z.describe('Must be true to remove a folder with its contents')),
});
type Input = z.infer<typeof input>;

/** `fs_rm`: a file, or a folder when told so; to the trash where there is one. What removes is loaded with the first. */
export function removeFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  const place = { files, paths };
  return defineTool<Input>({
    name: 'fs_rm',
    description: 'Removes a file or a folder; it goes to the trash where there is one.',
    category: 'write',
    traits: { kind: 'files', doing: 'Removing' },
    input,
    title: ({ path, recursive }) => `Remove ${path}${recursive ? ' and all that is in it' : ''}`,
    permission: ({ path }) => ({ tool: 'fs_rm', category: 'write', paths: [path], removes: true }),
    touches: async ({ path }, context) => (await import('./remove/removePath')).removedFiles(path, context, place),
    run: async (call, context) => (await import('./remove/removePath')).removePath(call, context, place),
  });
}
