import * as z from '../../../base/zod';
import type { FileSystem, PathStyle } from '../../ports';
import { type AnyTool, defineTool } from '../tool';

const input = z.strictObject({ path: z.string().check(z.minLength(1)), contents: z.string() });
type Input = z.infer<typeof input>;

/** `fs_write`: a whole file. What writes it is loaded with the first. */
export function writeFileTool(files: FileSystem, paths: PathStyle): AnyTool {
  const place = { files, paths };
  return defineTool<Input>({
    name: 'fs_write',
    description:
      'Creates a file and its missing folders, or replaces a whole file; read an existing file first. To change part of a file use fs_edit.',
    category: 'write',
    traits: { kind: 'files', doing: 'Writing' },
    input,
    title: ({ path }) => `Write ${path}`,
    permission: ({ path }) => ({ tool: 'fs_write', category: 'write', paths: [path] }),
    preview: async (call, context) => (await import('./edit/proposeWrite')).proposeWrite(call, context, place),
    run: async (call, context) => (await import('./edit/proposeWrite')).runWrite(call, context, place),
  });
}
