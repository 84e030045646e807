import { clipEnd } from '../../../base/truncate';
import * as z from '../../../base/zod';
import { protectedPart } from '../../permissions/protectedPaths';
import type { FileSystem, PathStyle } from '../../ports';
import { missingPath } from '../files/missingPath';
import { resolvePath } from '../files/resolvePath';
import { type AnyTool, defineTool } from '../tool';
import type { ToolPrograms } from './onRequest';

const MAX_MATCHES = 200;
const MAX_TEXT = 500;
const MAX_CHARACTERS = 40_000;

const input = z.strictObject({
  pattern: z
    .string()
    .check(
      z.minLength(1),
      z.describe('Code with $NAME for one node and $$$NAME for any number, such as foo($A, $$$REST)'),
    ),
  language: z
    .optional(z.string().check(z.regex(/^[A-Za-z+#]{1,20}$/, 'must be a language such as ts')))
    .check(z.describe('Such as ts, tsx, python, go, rust; default by the ending of each file')),
  path: z.optional(z.string().check(z.minLength(1))).check(z.describe('Folder or file, default the workspace')),
});
type Input = z.infer<typeof input>;

/** `ast_grep`: searches code by its structure. */
export function searchCodeTool(programs: ToolPrograms, files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<Input>({
    name: 'ast_grep',
    description:
      'Searches code by its structure with ast-grep, whatever its spaces and line breaks; gives path:line: code. Leaves out hidden files, protected ones and what .gitignore names. For plain text use fs_grep.',
    category: 'read',
    traits: { kind: 'files', doing: 'Searching', counted: 'search' },
    input,
    title: ({ pattern, path }) => `Search code like ${clipEnd(pattern, 100)}${path === undefined ? '' : ` in ${path}`}`,
    permission: ({ path }) => ({ tool: 'ast_grep', category: 'read', paths: [path ?? '.'] }),
    async run({ pattern, language, path }, { workspace, signal }) {
      const root = resolvePath(paths, workspace, path ?? '.');
      if (!(await files.find(root.absolute))) throw await missingPath(files, paths, workspace, root, 'folder');
      const mayProtected = protectedPart(root.relative) !== undefined;
      const rows: string[] = [];
      let size = 0;
      await programs.searchCode(
        { path: root.absolute, pattern, language },
        (match) => {
          const { relative, shown } = resolvePath(paths, workspace, match.path);
          if (!mayProtected && protectedPart(relative) !== undefined) return true;
          const row = `${shown}:${match.line}: ${clipEnd(match.text, MAX_TEXT)}`;
          size += row.length + 1;
          if (rows.length < MAX_MATCHES && size <= MAX_CHARACTERS) {
            rows.push(row);
            return true;
          }
          rows.push(`... the first ${rows.length} matches; there are more. Narrow the pattern or the path.`);
          return false;
        },
        signal,
      );
      const where = root.shown === '.' ? 'the workspace' : root.shown;
      const text =
        rows.length === 0
          ? `Nothing in ${where} is like ${pattern}. A pattern is code that parses by itself: foo($A), not foo($A. Check language and path.`
          : rows.join('\n');
      return { text, detail: { kind: 'text', text } };
    },
  });
}
