import * as z from '../../../base/zod';
import { EngineError } from '../../engineError';
import type { FileSearch, FileSystem, PathStyle } from '../../ports';
import { type AnyTool, defineTool } from '../tool';
import { missingRoot, searchGlob } from './searchRoot';
import { resolvePath } from './resolvePath';

const MAX_PATHS = 500;

const input = z.strictObject({
  pattern: z.string().check(z.minLength(1)),
  path: z.optional(z.string().check(z.minLength(1))).check(z.describe('Folder; default: the workspace')),
});
type Input = z.infer<typeof input>;

/** `fs_glob`: files by name. */
export function globFilesTool(search: FileSearch, files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<Input>({
    name: 'fs_glob',
    description:
      'Finds files (not folders) by glob: *.ts matches in every folder, src/**/*.{ts,tsx} below src. Returns up to 500 paths; skips what .gitignore excludes.',
    category: 'read',
    traits: { kind: 'files', doing: 'Finding', counted: 'search' },
    input,
    title: ({ pattern, path }) => `Find ${pattern}${path === undefined ? '' : ` in ${path}`}`,
    permission: ({ path }) => ({ tool: 'fs_glob', category: 'read', paths: [path ?? '.'] }),
    async run({ pattern, path }, { workspace, signal }) {
      const { absolute: root, shown: where } = resolvePath(paths, workspace, path ?? '.');
      const include = searchGlob(within(paths, root, pattern));
      const found = await search.glob({ root, include, limit: MAX_PATHS }, signal).catch((error: unknown) => {
        throw missingRoot(error, where);
      });
      const shown = found.paths.map((one) => resolvePath(paths, workspace, one).shown);
      if (!found.complete) shown.push(`... more than ${MAX_PATHS} files. Narrow the pattern or the path.`);
      const folder = shown.length === 0 && (await isFolder(files, paths.resolve(root, pattern)));
      const none = folder
        ? `${pattern} is a folder. For the files in it use ${folderGlob(pattern)}.`
        : nothing(pattern, where);
      const text = shown.length > 0 ? shown.join('\n') : none;
      return { text, detail: { kind: 'text', text } };
    },
  });
}

function folderGlob(pattern: string): string {
  return `${pattern.replace(/\/+$/, '')}/**`;
}

async function isFolder(files: FileSystem, path: string): Promise<boolean> {
  try {
    return (await files.stat(path)).kind === 'directory';
  } catch (error) {
    if (EngineError.is(error)) return false;
    throw error;
  }
}

function nothing(pattern: string, where: string): string {
  const place = where === '.' ? 'the workspace' : where;
  return `No file matches ${pattern} in ${place}. What .gitignore names, .git and node_modules are not searched.`;
}

/** Models write absolute globs as well; one below the root becomes relative. */
function within(paths: PathStyle, root: string, pattern: string): string {
  const slashed = root.replaceAll('\\', '/').replace(/\/$/, '');
  return paths.isAbsolute(pattern) && pattern.startsWith(`${slashed}/`) ? pattern.slice(slashed.length + 1) : pattern;
}
