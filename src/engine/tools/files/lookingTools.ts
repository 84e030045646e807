import { matchesWildcard } from '../../../base/matching';
import { withoutEnd } from '../../../base/truncate';
import * as z from '../../../base/zod';
import { EngineError } from '../../engineError';
import type { FileSearch, FileSystem, GrepMatch, PathStyle } from '../../ports';
import { type AnyTool, defineTool } from '../tool';
import { ToolFailure } from '../toolOutput';
import { resolvePath } from './resolvePath';

const listInput = z.strictObject({
  path: z.optional(z.string().check(z.minLength(1))).check(z.describe('Default: the workspace')),
});
type ListInput = z.infer<typeof listInput>;

/** `fs_ls`: lists one folder. Its implementation is loaded on first use. */
export function listFilesTool(files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<ListInput>({
    name: 'fs_ls',
    description:
      'Lists one folder: folders first, with a trailing slash, then files; empty ones and those of 10 kB and more with their sizes.',
    category: 'read',
    traits: { kind: 'files', doing: 'Listing', counted: 'list' },
    input: listInput,
    title: ({ path }) => `List ${path ?? 'the workspace'}`,
    permission: ({ path }) => ({ tool: 'fs_ls', category: 'read', paths: [path ?? '.'] }),
    run: async ({ path = '.' }, context) => (await import('./listFolder')).listFolder(path, context, { files, paths }),
  });
}

const MAX_PATHS = 500;

const globInput = z.strictObject({
  pattern: z.string().check(z.minLength(1)),
  path: z.optional(z.string().check(z.minLength(1))).check(z.describe('Folder; default: the workspace')),
});
type GlobInput = z.infer<typeof globInput>;

/** `fs_glob`: finds files by name. */
export function globFilesTool(search: FileSearch, files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<GlobInput>({
    name: 'fs_glob',
    description:
      'Finds files (not folders) by glob: *.ts matches in every folder, src/**/*.{ts,tsx} below src. Returns up to 500 paths; skips what .gitignore excludes.',
    category: 'read',
    traits: { kind: 'files', doing: 'Finding', counted: 'search' },
    input: globInput,
    title: ({ pattern, path }) => `Find ${pattern}${path === undefined ? '' : ` in ${path}`}`,
    permission: ({ path }) => ({ tool: 'fs_glob', category: 'read', paths: [path ?? '.'] }),
    async run({ pattern, path }, { workspace, signal }) {
      const { absolute: root, shown: where } = resolvePath(paths, workspace, path ?? '.');
      const inside = within(paths, root, pattern);
      const include = searchGlob(inside);
      const found = await search.glob({ root, include, limit: MAX_PATHS }, signal).catch((error: unknown) => {
        throw missingRoot(error, where);
      });
      const shown = found.paths.map((one) => resolvePath(paths, workspace, one).shown);
      if (!found.complete) shown.push(`... more than ${MAX_PATHS} files. Narrow the pattern or the path.`);
      const folder =
        shown.length === 0 && staysBelow(paths, inside) && (await isFolder(files, paths.resolve(root, inside)));
      const none = folder
        ? `${pattern} is a folder. For the files in it use ${folderGlob(pattern)}.`
        : noPaths(pattern, where);
      const text = shown.length > 0 ? shown.join('\n') : none;
      return { text, detail: { kind: 'text', text } };
    },
  });
}

function folderGlob(pattern: string): string {
  return `${withoutEnd(pattern, '/')}/**`;
}

async function isFolder(files: FileSystem, path: string): Promise<boolean> {
  try {
    return (await files.stat(path)).kind === 'directory';
  } catch (error) {
    if (EngineError.is(error)) return false;
    throw error;
  }
}

function noPaths(pattern: string, where: string): string {
  const place = where === '.' ? 'the workspace' : where;
  return `No file matches ${pattern} in ${place}. What .gitignore names, .git and node_modules are not searched.`;
}

/** Paths elsewhere were not judged, so nothing is said about them. */
function staysBelow(paths: PathStyle, pattern: string): boolean {
  return !paths.isAbsolute(pattern) && !/(^|[\\/])\.\.([\\/]|$)/.test(pattern);
}

/** Models write absolute globs as well; one below the root becomes relative. */
function within(paths: PathStyle, root: string, pattern: string): string {
  const slashed = root.replaceAll('\\', '/').replace(/\/$/, '');
  return paths.isAbsolute(pattern) && pattern.startsWith(`${slashed}/`) ? pattern.slice(slashed.length + 1) : pattern;
}

const MAX_MATCHES = 200;
const MAX_LINE = 300;
const MAX_CHARACTERS = 40_000;

const grepInput = z.strictObject({
  pattern: z
    .string()
    .check(
      z.minLength(1),
      z.describe('JavaScript regular expression, matched line by line; start with (?i) to ignore case'),
    ),
  path: z.optional(z.string().check(z.minLength(1))).check(z.describe('Folder or file; default: the workspace')),
  include: z.optional(z.string().check(z.minLength(1))).check(z.describe('Glob of files, such as *.ts or src/**/*.ts')),
});
type GrepInput = z.infer<typeof grepInput>;

/** `fs_grep`: finds lines by regular expression. */
export function grepFilesTool(search: FileSearch, paths: PathStyle): AnyTool {
  return defineTool<GrepInput>({
    name: 'fs_grep',
    description:
      'Searches file contents for a regular expression. Returns up to 200 lines, grouped by file. Skips protected files and what .gitignore excludes. Use it instead of grep in the shell.',
    category: 'read',
    traits: { kind: 'files', doing: 'Searching', counted: 'search' },
    input: grepInput,
    title: ({ pattern, path }) => `Search /${pattern}/${path === undefined ? '' : ` in ${path}`}`,
    permission: ({ path }) => ({ tool: 'fs_grep', category: 'read', paths: [path ?? '.'] }),
    async run({ pattern, path, include }, context) {
      const { workspace, signal, looking } = context;
      const { absolute: root, shown: where } = resolvePath(paths, workspace, path ?? '.');
      const relativeOf = (absolute: string) => resolvePath(paths, workspace, absolute).relative;
      const excludes = looking?.grepExcludes ?? [];
      // Permission to search a folder covers its ordinary files; a protected one must be requested by name.
      const { protectedPart } = await import('../../permissions/protectedPaths');
      const isProtected = (relative: string) => protectedPart(relative) !== undefined;
      const mayProtected = isProtected(relativeOf(root));
      const isExcluded = await context.excludedBelow(root);
      const passesOver = (file: string) =>
        (!mayProtected && isProtected(file)) || excludes.some((one) => matchesWildcard(one, file));
      const query = {
        root,
        pattern,
        limit: Math.min(MAX_MATCHES, looking?.grepMatches ?? MAX_MATCHES),
        ...(include !== undefined && { include: searchGlob(include) }),
        passesOver: (one: string) => passesOver(relativeOf(one)) || isExcluded?.(paths.relative(root, one)) === true,
      };
      const { matches, complete } = await search.grep(query, signal).catch((error: unknown) => {
        throw missingRoot(error, where);
      });
      const text =
        matches.length === 0
          ? noMatches(pattern, where, { include, excludes, byRule: isExcluded !== undefined })
          : matchText(matches, complete, (absolute) => resolvePath(paths, workspace, absolute).shown);
      return { text, detail: { kind: 'text', text } };
    },
  });
}

function matchText(matches: readonly GrepMatch[], complete: boolean, shownOf: (path: string) => string): string {
  const rows: string[] = [];
  let [size, told] = [0, 0];
  let file: string | undefined;
  for (const { path, line, text } of matches) {
    const head = path === file ? [] : [shownOf(path)];
    const added = [...head, `  ${line}: ${text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)} ...` : text}`];
    size += added.join('\n').length + 1;
    if (size > MAX_CHARACTERS) break;
    rows.push(...added);
    told += 1;
    file = path;
  }
  if (!complete || told < matches.length) {
    rows.push(`... the first ${told} matches; there are more. Narrow the pattern, the path or include.`);
  }
  return rows.join('\n');
}

function noMatches(
  pattern: string,
  where: string,
  { include, excludes, byRule }: { include: string | undefined; excludes: readonly string[]; byRule: boolean },
): string {
  const only = include === undefined ? '' : ` (only ${include})`;
  const place = where === '.' ? 'the workspace' : where;
  const left = excludes.length === 0 ? '' : `, what this agent leaves out (${excludes.join(', ')})`;
  const ruled = byRule ? ', what a rule excludes' : '';
  return `No line matches /${pattern}/ in ${place}${only}. Not searched: binary files, protected ones (such as .env; name one as path if you must), what .gitignore names${left}${ruled}, .git and node_modules.`;
}

/** Returns the failure for a model if the folder to search does not exist; any other error unchanged. */
function missingRoot(error: unknown, shown: string): unknown {
  if (EngineError.is(error, 'not-found') && shown === '.') {
    const text =
      'The workspace has no folder yet, so there is nothing in it to search. A file that is written makes it.';
    return new ToolFailure('failed', text);
  }
  if (EngineError.is(error, 'not-found')) {
    return new ToolFailure(
      'failed',
      `There is no ${shown} to search. See what is there with fs_ls on the folder above.`,
    );
  }
  if (EngineError.is(error, 'not-directory')) {
    return new ToolFailure('bad-arguments', `${shown} is a file, and path must be a folder.`);
  }
  return error;
}

/** Returns a glob as the search expects it: relative, with one without a slash applied in every folder. */
function searchGlob(pattern: string): string {
  const plain = pattern.replace(/^(\.\/)+/, '');
  return plain.includes('/') ? plain : `**/${plain}`;
}
