import * as z from '../../../base/zod';
import { matchesWildcard } from '../../../base/wildcard';
import type { FileSearch, GrepMatch, PathStyle } from '../../ports';
import { type AnyTool, defineTool } from '../tool';
import { missingRoot, searchGlob } from './searchRoot';
import { resolvePath } from './resolvePath';

const MAX_MATCHES = 200;
const MAX_LINE = 300;
const MAX_CHARACTERS = 40_000;

const input = z.strictObject({
  pattern: z
    .string()
    .check(
      z.minLength(1),
      z.describe('JavaScript regular expression, matched line by line; start with (?i) to ignore case'),
    ),
  path: z.optional(z.string().check(z.minLength(1))).check(z.describe('Folder or file; default: the workspace')),
  include: z.optional(z.string().check(z.minLength(1))).check(z.describe('Glob of files, such as *.ts or src/**/*.ts')),
});
type Input = z.infer<typeof input>;

/** `fs_grep`: lines by regular expression. */
export function grepFilesTool(search: FileSearch, paths: PathStyle): AnyTool {
  return defineTool<Input>({
    name: 'fs_grep',
    description:
      'Searches file contents for a regular expression. Returns up to 200 lines, grouped by file. Skips protected files and what .gitignore excludes. Use it instead of grep in the shell.',
    category: 'read',
    traits: { kind: 'files', doing: 'Searching', counted: 'search' },
    input,
    title: ({ pattern, path }) => `Search /${pattern}/${path === undefined ? '' : ` in ${path}`}`,
    permission: ({ path }) => ({ tool: 'fs_grep', category: 'read', paths: [path ?? '.'] }),
    async run({ pattern, path, include }, { workspace, signal, looking }) {
      const { absolute: root, shown: where } = resolvePath(paths, workspace, path ?? '.');
      const relativeOf = (absolute: string) => resolvePath(paths, workspace, absolute).relative;
      const excludes = looking?.grepExcludes ?? [];
      // Searching a folder is allowed for its ordinary files; what is protected has to be asked for by its own name.
      const { protectedPart } = await import('../../permissions/protectedPaths');
      const isProtected = (relative: string) => protectedPart(relative) !== undefined;
      const mayProtected = isProtected(relativeOf(root));
      const passesOver = (file: string) =>
        (!mayProtected && isProtected(file)) || excludes.some((one) => matchesWildcard(one, file));
      const query = {
        root,
        pattern,
        limit: Math.min(MAX_MATCHES, looking?.grepMatches ?? MAX_MATCHES),
        ...(include !== undefined && { include: searchGlob(include) }),
        passesOver: (one: string) => passesOver(relativeOf(one)),
      };
      const { matches, complete } = await search.grep(query, signal).catch((error: unknown) => {
        throw missingRoot(error, where);
      });
      const text =
        matches.length === 0
          ? nothing(pattern, where, { include, excludes })
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

function nothing(
  pattern: string,
  where: string,
  { include, excludes }: { include: string | undefined; excludes: readonly string[] },
): string {
  const only = include === undefined ? '' : ` (only ${include})`;
  const place = where === '.' ? 'the workspace' : where;
  const left = excludes.length === 0 ? '' : `, what this agent leaves out (${excludes.join(', ')})`;
  return `No line matches /${pattern}/ in ${place}${only}. Not searched: binary files, protected ones (such as .env; name one as path if you must), what .gitignore names${left}, .git and node_modules.`;
}
