/** A query on a database file. */
export interface SqliteQuestion {
  /** Absolute. */
  file: string;
  /** A single statement. */
  sql: string;
  mostRows: number;
}

export interface SqliteRows {
  columns: readonly string[];
  /** Each value as text; null for NULL. */
  rows: readonly (readonly (string | null)[])[];
  /** True if there are more rows. */
  isCut: boolean;
}

/** A structural code search. */
export interface CodeQuestion {
  /** Absolute. */
  path: string;
  pattern: string;
  language: string | undefined;
}

export interface CodeMatch {
  /** Absolute. */
  path: string;
  /** From 1. */
  line: number;
  text: string;
}

/** The programs of this machine that tools use. */
export interface ToolPrograms {
  /** Changes nothing. Rejects with ToolFailure if the query cannot be answered, and with AbortError. */
  querySqlite(question: SqliteQuestion, signal: AbortSignal): Promise<SqliteRows>;
  /** Reports each match as it is found, until `found` returns false. Rejects with ToolFailure and AbortError. */
  searchCode(question: CodeQuestion, found: (match: CodeMatch) => boolean, signal: AbortSignal): Promise<void>;
}
