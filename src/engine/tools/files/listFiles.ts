import * as z from '../../../base/zod';
import type { FileSystem, PathStyle } from '../../ports';
import { type AnyTool, defineTool } from '../tool';

const input = z.strictObject({
  path: z.optional(z.string().check(z.minLength(1))).check(z.describe('Default: the workspace')),
});
type Input = z.infer<typeof input>;

/** `fs_ls`: what is in one folder. What lists it is loaded with the first. */
export function listFilesTool(files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<Input>({
    name: 'fs_ls',
    description:
      'Lists one folder: folders first, with a trailing slash, then files; empty ones and those of 10 kB and more with their sizes.',
    category: 'read',
    traits: { kind: 'files', doing: 'Listing', counted: 'list' },
    input,
    title: ({ path }) => `List ${path ?? 'the workspace'}`,
    permission: ({ path }) => ({ tool: 'fs_ls', category: 'read', paths: [path ?? '.'] }),
    run: async ({ path = '.' }, context) =>
      (await import('./list/listFolder')).listFolder(path, context, { files, paths }),
  });
}
