import { join } from 'node:path';

/** A published MCP server, and what to call. */
export interface RealServer {
  readonly name: string;
  readonly version: string;
  /** Its program, in its package. */
  readonly program: string;
  readonly args?: (folder: string) => readonly string[];
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  /** A tool, and its input. */
  readonly call: (folder: string) => readonly [tool: string, input: Readonly<Record<string, unknown>>];
  /** What the answer says. */
  readonly answer: RegExp;
  /** A tool that is left out, with the reason. */
  readonly leftOut?: RegExp;
  /** The oldest major version of Node that runs it. Absent: 20. */
  readonly node?: number;
}

/** The file in each server's folder. */
export const NOTES = 'notes.txt';

/** Those that are development dependencies of Cairn. */
export const SMALL_SERVERS: readonly RealServer[] = [
  {
    name: '@modelcontextprotocol/server-everything',
    version: '2026.8.31',
    program: 'dist/index.js',
    args: () => ['stdio'],
    call: () => ['get-sum', { a: 20, b: 22 }],
    answer: /is 42/,
    leftOut: /“simulate-research-query” cannot be called: it works only as a task/,
  },
  {
    name: '@modelcontextprotocol/server-filesystem',
    version: '2026.8.31',
    program: 'dist/index.js',
    args: (folder) => [folder],
    call: (folder) => ['read_text_file', { path: join(folder, NOTES) }],
    answer: /low tide at six/,
  },
  {
    name: '@modelcontextprotocol/server-memory',
    version: '2026.8.31',
    program: 'dist/index.js',
    env: (folder) => ({ MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
    call: () => ['create_entities', { entities: [{ name: 'Oslo', entityType: 'harbor', observations: ['deep'] }] }],
    answer: /Oslo/,
  },
  {
    name: '@modelcontextprotocol/server-sequential-thinking',
    version: '2026.8.31',
    program: 'dist/index.js',
    call: () => [
      'sequentialthinking',
      { thought: 'The tide is low.', thoughtNumber: 1, totalThoughts: 1, nextThoughtNeeded: false },
    ],
    answer: /"thoughtHistoryLength": 1/,
  },
];

/** Those that are larger, and installed only to be tried. Without an account or a network, an answer is an error. */
export const LARGE_SERVERS: readonly RealServer[] = [
  {
    name: '@playwright/mcp',
    version: '0.0.83',
    program: 'cli.js',
    args: () => ['--headless'],
    call: () => ['browser_close', {}],
    answer: /### (?:Error|Result|Page)/m,
  },
  {
    name: '@notionhq/notion-mcp-server',
    version: '2.5.2',
    program: 'bin/cli.mjs',
    env: () => ({ NOTION_TOKEN: 'ntn_none' }),
    call: () => ['API-get-self', {}],
    answer: /notion|unauthorized/i,
  },
  {
    name: '@modelcontextprotocol/server-pdf',
    version: '2.0.4',
    program: 'dist/index.js',
    args: () => ['--stdio'],
    call: () => ['list_pdfs', {}],
    answer: /pdf/i,
  },
  {
    name: '@eslint/mcp',
    version: '0.3.13',
    program: 'src/mcp-cli.js',
    call: (folder) => ['lint-files', { filePaths: [join(folder, NOTES)] }],
    answer: /Could not find config file/,
  },
  {
    name: '@bytebase/dbhub',
    version: '1.4.0',
    program: 'dist/index.js',
    args: () => ['--transport', 'stdio', '--demo'],
    call: () => ['execute_sql', { sql: 'select 20 + 22 as sum' }],
    answer: /42/,
    node: 22,
  },
  {
    name: 'firecrawl-mcp',
    version: '3.22.2',
    program: 'dist/index.js',
    env: () => ({ FIRECRAWL_API_KEY: 'fc-none' }),
    call: () => ['firecrawl_map', { url: 'https://example.com' }],
    answer: /firecrawl/,
    node: 22,
  },
  {
    name: '@sentry/mcp-server',
    version: '0.36.0',
    program: 'dist/index.js',
    args: () => ['--access-token=none'],
    call: () => ['whoami', {}],
    answer: /sentry/i,
    node: 22,
  },
];
