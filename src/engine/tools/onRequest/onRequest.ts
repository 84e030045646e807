import type { ToolCategory } from '../../permissions/permissionRule';
import type { AnyTool } from '../tool';
import type { ToolSource } from '../toolSource';

/** Tools that are only available to agents that name them, each with its category. */
export const ON_REQUEST: ReadonlyMap<string, ToolCategory> = new Map([
  ['web_search', 'network'],
  ['search_arxiv', 'network'],
  ['search_wikipedia', 'network'],
  ['get_current_time', 'read'],
  ['sqlite_query', 'read'],
  ['ast_grep', 'read'],
]);

/** Provides the tools that must be named; `load` is called for the first agent that names one. */
export function lateOnRequestTools(load: () => Promise<readonly AnyTool[]>): ToolSource {
  let loaded: Promise<readonly AnyTool[]> | undefined;
  return {
    async toolsFor(_place, _wants, { names }) {
      const named = [...ON_REQUEST.keys()].filter(names);
      if (named.length === 0) return { tools: [], notices: [] };
      const tools = await (loaded ??= load());
      return { tools: tools.filter(({ name }) => named.includes(name)), notices: [] };
    },
  };
}

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
interface CodeQuestion {
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
