import * as z from '../../../../base/zod';
import { clipEnd } from '../../../../base/truncate';
import type { FileSystem, PathStyle } from '../../../ports';
import { missingPath } from '../../files/missingPath';
import { resolvePath } from '../../files/resolvePath';
import { type AnyTool, defineTool } from '../../tool';
import { ToolFailure } from '../../toolFailure';
import type { SqliteRows, ToolPrograms } from '../programs';
import { readingStatement } from './readingStatement';

const DEFAULT_ROWS = 100;
const MAX_ROWS = 1000;
const MAX_CELL = 1000;
const MAX_CHARACTERS = 30_000;

const input = z.strictObject({
  database: z.string().check(z.minLength(1), z.describe('The file, from the workspace')),
  sql: z.string().check(z.minLength(1), z.describe('One statement; the schema is in sqlite_master')),
  limit: z
    .optional(z.int().check(z.minimum(1), z.maximum(MAX_ROWS)))
    .check(z.describe(`Rows that are given, default ${DEFAULT_ROWS}`)),
});
type Input = z.infer<typeof input>;

/** `sqlite_query`: reads a database that is a file. */
export function sqliteQueryTool(programs: ToolPrograms, files: FileSystem, paths: PathStyle): AnyTool {
  return defineTool<Input>({
    name: 'sqlite_query',
    description:
      'Runs one reading statement (SELECT, WITH, EXPLAIN, PRAGMA table_info and the like) on a SQLite file and gives the rows as CSV. Changes nothing.',
    category: 'read',
    traits: { kind: 'files', doing: 'Querying' },
    input,
    title: ({ database, sql }) => `Query ${database}: ${clipEnd(sql.replace(/\s+/g, ' ').trim(), 100)}`,
    permission: ({ database }) => ({ tool: 'sqlite_query', category: 'read', paths: [database] }),
    async run({ database, sql, limit = DEFAULT_ROWS }, { workspace, signal }) {
      const statement = readingStatement(sql);
      const place = resolvePath(paths, workspace, database);
      const found = await files.find(place.absolute);
      if (!found) throw await missingPath(files, paths, workspace, place, 'file');
      if ((await files.stat(place.absolute)).kind !== 'file')
        throw new ToolFailure('failed', `${place.shown} is not a file.`);
      const rows = await programs.querySqlite({ file: place.absolute, sql: statement, mostRows: limit }, signal);
      const text = csv(rows);
      return { text, detail: { kind: 'text', text } };
    },
  });
}

function csv({ columns, rows, isCut }: SqliteRows): string {
  if (rows.length === 0) return columns.length === 0 ? '(no rows)' : `${columns.map(cell).join(',')}\n(no rows)`;
  const lines = [columns.map(cell).join(',')];
  let size = 0;
  for (const row of rows) {
    const line = row.map(cell).join(',');
    size += line.length + 1;
    if (size > MAX_CHARACTERS) break;
    lines.push(line);
  }
  const given = lines.length - 1;
  const isAll = given === rows.length && !isCut;
  return isAll ? lines.join('\n') : [...lines, `... the first ${given} rows; there are more.`].join('\n');
}

/** NULL is nothing at all, the empty text is `""`. */
function cell(value: string | null): string {
  if (value === null) return '';
  const shown = clipEnd(value, MAX_CELL);
  return shown === '' || /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
