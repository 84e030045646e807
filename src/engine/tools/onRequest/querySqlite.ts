import { clipEnd } from '../../../base/truncate';
import * as z from '../../../base/zod';
import type { FileSystem, PathStyle } from '../../ports';
import { missingPath } from '../files/missingPath';
import { resolvePath } from '../files/resolvePath';
import { type AnyTool, defineTool } from '../tool';
import { ToolFailure } from '../toolOutput';
import type { SqliteRows, ToolPrograms } from './onRequest';

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

/** `sqlite_query`: reads a database file. */
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

/** NULL becomes nothing, the empty string `""`. */
function cell(value: string | null): string {
  if (value === null) return '';
  const shown = clipEnd(value, MAX_CELL);
  return shown === '' || /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** Strings, quoted names and comments, which are not words of SQL. If unterminated, they extend to the end. */
const OTHER =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const READING = /^(?:select|with|values|explain|pragma)\b/i;
/** These reach files other than the named database. */
const ELSEWHERE = /\b(?:attach|detach|vacuum|load_extension|readfile|writefile|fsdir|edit)\b/i;
const PRAGMA =
  /^pragma\s+(?:\w+\s*\.\s*)?(?:table_info|table_xinfo|table_list|index_list|index_info|index_xinfo|foreign_key_list|foreign_key_check|integrity_check|quick_check|database_list|compile_options|encoding|user_version|schema_version|page_count|page_size|journal_mode)\s*(?:\(.*\))?$/is;

/** Returns the only statement in a text, if it just reads. Throws ToolFailure otherwise. */
function readingStatement(sql: string): string {
  // The replacements have the same length, so that positions stay valid.
  const words = sql.replace(OTHER, (other) => (/^(?:--|\/\*)/.test(other) ? ' ' : '"').repeat(other.length));
  const begin = words.search(/\S/);
  const end = words.indexOf(';', begin);
  const said = words.slice(Math.max(begin, 0), end < 0 ? undefined : end).trim();
  if (begin < 0 || said === '') throw new ToolFailure('failed', 'There is no statement.');
  if (end >= 0 && /[^\s;]/.test(words.slice(end))) {
    throw new ToolFailure('failed', 'These are several statements. Send them in calls of their own.');
  }
  const elsewhere = ELSEWHERE.exec(said);
  if (elsewhere)
    throw new ToolFailure('failed', `${elsewhere[0]} is not available here: only the named database is read.`);
  if (!READING.test(said) || (/^pragma/i.test(said) && !PRAGMA.test(said))) {
    throw new ToolFailure(
      'failed',
      'This tool only reads: SELECT, WITH, VALUES, EXPLAIN, and PRAGMA that tells of the schema. To change data use execute_command with sqlite3.',
    );
  }
  return sql.slice(begin, begin + said.length);
}
