/** A question to a database that is a file. */
export interface SqliteQuestion {
  /** Absolute. */
  file: string;
  /** One statement. */
  sql: string;
  mostRows: number;
}

export interface SqliteRows {
  columns: readonly string[];
  /** Each value as text; null for none. */
  rows: readonly (readonly (string | null)[])[];
  /** There are more rows. */
  isCut: boolean;
}

/** A search for code by its structure. */
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

/** What programs of this machine do for tools. */
export interface ToolPrograms {
  /** Changes nothing. Rejects with ToolFailure where it cannot be answered, and with AbortError. */
  querySqlite(question: SqliteQuestion, signal: AbortSignal): Promise<SqliteRows>;
  /** Tells each match as it is found, until `found` says false. Rejects with ToolFailure and AbortError. */
  searchCode(question: CodeQuestion, found: (match: CodeMatch) => boolean, signal: AbortSignal): Promise<void>;
}
