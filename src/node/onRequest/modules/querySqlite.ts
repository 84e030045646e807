import { writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import * as z from '../../../base/zod';
import type { SqliteQuestion, SqliteRows } from '../../../engine';

/** Its number. What is written there goes to who asked, never to a terminal. */
const STANDARD_OUTPUT = 1;
/** More than a page of a large table needs. Bytes. */
const HEAP_LIMIT = 256 * 1024 * 1024;
/** So much is given of all rows together. Characters. */
const MOST_CHARACTERS = 1_000_000;

const asked = z.object({ file: z.string(), sql: z.string(), mostRows: z.int() });

/** What the process writes. */
export type SqliteAnswer = { kind: 'rows'; rows: SqliteRows } | { kind: 'refused'; why: string } | { kind: 'absent' };

/** A process of its own: SQLite answers while all else waits, and nothing but its end stops it. */
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
    // Of two columns with a name there is one value.
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
