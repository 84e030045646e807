import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import * as z from '../../../base/zod';
import type { SqliteQuestion, SqliteRows } from '../../../engine';

/** File descriptor. The output goes to the parent process, never to a terminal. */
const STANDARD_OUTPUT = 1;
/** In bytes. More than a page of a large table needs. */
const HEAP_LIMIT = 256 * 1024 * 1024;
/** Limit for all rows together, in characters. */
const MOST_CHARACTERS = 1_000_000;

const asked = z.object({ file: z.string(), sql: z.string(), mostRows: z.int() });

/** The output of the process. */
type SqliteAnswer = { kind: 'rows'; rows: SqliteRows } | { kind: 'refused'; why: string } | { kind: 'absent' };

/** Runs in a separate process because SQLite blocks the thread, and only killing the process stops it. */
async function main(): Promise<void> {
  const question = asked.parse(JSON.parse(await text(process.stdin)));
  writeFileSync(STANDARD_OUTPUT, JSON.stringify(await answer(question)));
}

async function answer({ file, sql, mostRows }: SqliteQuestion): Promise<SqliteAnswer> {
  const sqlite = await import('node:sqlite').catch(() => undefined);
  if (!sqlite) return { kind: 'absent' };
  try {
    const database = new sqlite.DatabaseSync(file, { readOnly: true });
    database.exec(`PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA hard_heap_limit = ${HEAP_LIMIT}`);
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    return { kind: 'rows', rows: rowsOf(statement.iterate(), mostRows, statement.columns?.()) };
  } catch (error) {
    return { kind: 'refused', why: error instanceof Error ? error.message : String(error) };
  }
}

function rowsOf(
  all: Iterable<Readonly<Record<string, unknown>>>,
  most: number,
  known: readonly { name: string }[] = [],
): SqliteRows {
  let columns = known.map(({ name }) => name);
  const rows: (string | null)[][] = [];
  let size = 0;
  for (const row of all) {
    if (rows.length === most || size > MOST_CHARACTERS) return { columns, rows, isCut: true };
    // Columns with the same name share one value, so the row's keys are the columns.
    columns = Object.keys(row);
    const values = columns.map((name) => textOf(row[name]));
    size += values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
    rows.push(values);
  }
  return { columns, rows, isCut: false };
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return `(${value.length} bytes)`;
  return typeof value === 'bigint' || typeof value === 'number' ? value.toString() : JSON.stringify(value);
}

await main();
