import * as z from '../../../base/zod';
import { EngineError } from '../../engineError';
import type { FileSystem, PathStyle } from '../../ports';
import { type AnyTool, defineTool } from '../tool';
import { ToolFailure } from '../toolFailure';
import { resolvePath } from './resolvePath';

const input = z.strictObject({ path: z.string().check(z.minLength(1)) });
type Input = z.infer<typeof input>;

/** `fs_mkdir`: a folder with those above it. */
export function makeFolderTool(files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<Input>({
    name: 'fs_mkdir',
    description: 'Creates a directory and any missing parents. Not needed before writing a file.',
    category: 'write',
    traits: { kind: 'files', doing: 'Creating', isUnlisted: true },
    input,
    title: ({ path }) => `Create folder ${path}`,
    permission: ({ path }) => ({ tool: 'fs_mkdir', category: 'write', paths: [path] }),
    async run({ path }, { workspace }) {
      const { absolute, shown } = resolvePath(paths, workspace, path);
      const there = await kindOf(files, absolute);
      if (there !== null && there !== 'directory') {
        throw new ToolFailure('failed', `${shown} is a file, so a folder of that name cannot be created.`);
      }
      if (there === null) await files.makeDirectory(absolute);
      const text = there === null ? `Created the folder ${shown}.` : `The folder ${shown} already exists.`;
      return { text, detail: { kind: 'text', text } };
    },
  });
}

async function kindOf(files: FileSystem, path: string): Promise<string | null> {
  try {
    return (await files.stat(path)).kind;
  } catch (error) {
    if (EngineError.is(error, 'not-found')) return null;
    throw error;
  }
}
