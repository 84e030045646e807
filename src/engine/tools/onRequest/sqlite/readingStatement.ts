import { ToolFailure } from '../../toolFailure';

/** What is no word of SQL: texts, names in quotes, comments. One that does not end goes to the end. */
const OTHER =
  /'(?:[^']|'')*(?:'|$)|"(?:[^"]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\[[^\]]*(?:\]|$)|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const READING = /^(?:select|with|values|explain|pragma)\b/i;
/** They reach other files than the database that was named. */
const ELSEWHERE = /\b(?:attach|detach|vacuum|load_extension|readfile|writefile|fsdir|edit)\b/i;
const PRAGMA =
  /^pragma\s+(?:\w+\s*\.\s*)?(?:table_info|table_xinfo|table_list|index_list|index_info|index_xinfo|foreign_key_list|foreign_key_check|integrity_check|quick_check|database_list|compile_options|encoding|user_version|schema_version|page_count|page_size|journal_mode)\s*(?:\(.*\))?$/is;

/** The one statement of a text, when it reads. Throws ToolFailure for any other. */
export function readingStatement(sql: string): string {
  // As long as what they stand for, so that places stay.
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
