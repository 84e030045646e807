import { mkdtemp, rm } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import path from 'node:path';
import { AbortError, isAbort } from '../../base/abort';
import { errorText } from '../../base/errors';
import { safeLine } from '../../base/shown/safeText';
import * as z from '../../base/zod';
import {
  type AnyTool,
  type OnRequestParts,
  onRequestTools,
  type SqliteQuestion,
  type SqliteRows,
  ToolFailure,
  type ToolPrograms,
} from '../../engine';
import { errorCode } from '../fileError';
import { runChild } from '../processes/nodeProcessRunner';
import { commandEnvironment } from '../secretVariables';

interface NodeProgramParts {
  env: NodeJS.ProcessEnv;
  /** Path of `querySqlite.mjs`, which uses Node's SQLite if there is one. */
  sqliteRunner: string;
}

const SQLITE_MS = 60_000;
const SEARCH_MS = 120_000;
const MOST_SAID = 4000;

const text = z.string();
const sqliteAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('rows'),
    rows: z.object({ columns: z.array(text), rows: z.array(z.array(z.nullable(text))), isCut: z.boolean() }),
  }),
  z.object({ kind: z.literal('refused'), why: text }),
  z.object({ kind: z.literal('absent') }),
]);
const sqliteRow = z.record(text, z.unknown());
const codeMatch = z.object({
  file: text,
  text,
  range: z.object({ start: z.object({ line: z.int() }) }),
});

/** Returns the programs on this machine that tools use. */
export function nodeToolPrograms(parts: NodeProgramParts): ToolPrograms {
  return {
    async querySqlite(question, signal) {
      return (await byNode(question, parts, signal)) ?? byProgram(question, parts, signal);
    },
    searchCode: ({ path: at, pattern, language }, found, signal) =>
      inOwnFolder(async (cwd) => {
        const lines = linesOf((line) => {
          const match = codeMatch.safeParse(parsed(line)).data;
          return (
            !match || found({ path: path.resolve(cwd, match.file), line: match.range.start.line + 1, text: match.text })
          );
        });
        const only = language === undefined ? [] : [`--lang=${language}`];
        const args = ['run', `--pattern=${pattern}`, ...only, '--json=stream', '--color=never', '--', at];
        const said = { file: 'ast-grep', args, cwd, timeoutMs: SEARCH_MS, onLine: lines };
        const { exitCode, errors, isEnough } = await run(said, parts, signal);
        // 1 means that nothing was found.
        if (!isEnough && exitCode !== 0 && exitCode !== 1) throw refused('ast-grep', errors, exitCode);
      }),
  };
}

/** Returns undefined if this Node has no SQLite. */
async function byNode(
  question: SqliteQuestion,
  parts: NodeProgramParts,
  signal: AbortSignal,
): Promise<SqliteRows | undefined> {
  let said = '';
  const asked = {
    file: process.execPath,
    args: ['--no-warnings', parts.sqliteRunner],
    cwd: path.dirname(parts.sqliteRunner),
    // Within an editor, the executable runs as Node only with this variable.
    environment: { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
    input: JSON.stringify(question),
    timeoutMs: SQLITE_MS,
    onText: (chunk: string) => void (said += chunk),
  };
  const { exitCode, errors } = await run(asked, parts, signal);
  const answer = sqliteAnswer.safeParse(parsed(said)).data;
  if (!answer) throw refused('SQLite', errors, exitCode);
  if (answer.kind === 'refused') throw new ToolFailure('failed', `SQLite says: ${safeLine(answer.why, 500)}`);
  return answer.kind === 'rows' ? answer.rows : undefined;
}

/** Queries with `sqlite3`. `-safe` denies access to other files and programs. */
function byProgram(question: SqliteQuestion, parts: NodeProgramParts, signal: AbortSignal): Promise<SqliteRows> {
  const { file, sql, mostRows } = question;
  return inOwnFolder(async (cwd) => {
    const rows: (string | null)[][] = [];
    let columns: string[] = [];
    const onLine = linesOf((line) => {
      const row = sqliteRow.safeParse(parsed(withWholeNumbers(line.replace(/^\[/, '').replace(/[,\]]$/, '')))).data;
      if (!row) return true;
      if (rows.length === mostRows) return false;
      columns = Object.keys(row);
      rows.push(
        Object.values(row).map((value) =>
          value === null ? null : typeof value === 'string' ? value : JSON.stringify(value),
        ),
      );
      return true;
    });
    const args = ['-init', devNull, '-safe', '-readonly', '-batch', '-json', file, sql];
    const asked = { file: 'sqlite3', args, cwd, timeoutMs: SQLITE_MS, onLine };
    const { exitCode, errors, isEnough } = await run(asked, parts, signal);
    if (!isEnough && exitCode !== 0) throw refused('sqlite3', errors, exitCode);
    return { columns, rows, isCut: isEnough };
  });
}

/** Quotes the integers in a row that JavaScript would round. */
function withWholeNumbers(row: string): string {
  return row.replace(/(?<!\\)":(-?\d{16,})(?=[,}])/g, '":"$1"');
}

interface Asked {
  file: string;
  args: readonly string[];
  cwd: string;
  timeoutMs: number;
  environment?: Readonly<Record<string, string>>;
  input?: string;
  onText?: (chunk: string) => void;
  /** Return false to stop. */
  onLine?: (chunk: string) => boolean;
}

/** Runs a program until it ends or enough output was read. Throws ToolFailure if it cannot be started or takes too long. */
async function run(
  { file, args, cwd, timeoutMs, environment = {}, input, onText, onLine }: Asked,
  { env }: NodeProgramParts,
  signal: AbortSignal,
): Promise<{ exitCode: number | null; errors: string; isEnough: boolean }> {
  const enough = new AbortController();
  let errors = '';
  const onOutput = (chunk: string, from: 'stdout' | 'stderr') => {
    if (from === 'stderr') errors = (errors + chunk).slice(0, MOST_SAID);
    else if (onLine && !enough.signal.aborted && !onLine(chunk)) enough.abort();
    else onText?.(chunk);
  };
  try {
    const end = await runChild(
      {
        file,
        args,
        cwd,
        timeoutMs,
        onOutput,
        env: { ...commandEnvironment(env), ...environment },
        stdio: ['pipe', 'pipe', 'pipe'],
        onStart: ({ stdin }) => stdin?.on('error', () => undefined).end(input ?? ''),
      },
      AbortSignal.any([signal, enough.signal]),
    );
    if (!end.timedOut) return { exitCode: end.exitCode, errors, isEnough: false };
    throw new ToolFailure('failed', `${file} was stopped after ${Math.round(timeoutMs / 1000)} seconds. Ask for less.`);
  } catch (error) {
    if (signal.aborted) throw new AbortError();
    if (isAbort(error) && enough.signal.aborted) return { exitCode: null, errors, isEnough: true };
    throw error instanceof ToolFailure ? error : notStarted(file, error);
  }
}

function notStarted(file: string, error: unknown): ToolFailure {
  const why = errorCode(error) === 'ENOENT' ? 'is not on PATH' : `could not be started (${errorText(error)})`;
  return new ToolFailure('failed', `${file} ${why}. Continue without it, or tell the user that it must be installed.`);
}

function refused(name: string, errors: string, exitCode: number | null): ToolFailure {
  const first = errors.split('\n').find((line) => line.trim() !== '') ?? `exit status ${exitCode ?? 'unknown'}`;
  return new ToolFailure('failed', `${name} says: ${safeLine(first.trim(), 500)}`);
}

/** Runs work in a temporary folder. Never in a workspace, whose files could determine what the program loads. */
async function inOwnFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cairn-program-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Parses JSON; undefined if it is invalid. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Returns the tools for this machine that only agents naming them get. */
export function nodeOnRequestTools(
  parts: Omit<OnRequestParts, 'programs' | 'environment'> & NodeProgramParts,
): readonly AnyTool[] {
  return onRequestTools({ ...parts, environment: parts.env, programs: nodeToolPrograms(parts) });
}

/** Longer lines are skipped. In characters. */
const LONGEST = 1_000_000;

/** Splits chunks of text into lines for `take`. Once that returns false, the result does too. */
function linesOf(take: (line: string) => boolean): (chunk: string) => boolean {
  let rest = '';
  let isTooLong = false;
  return (chunk) => {
    const [first = '', ...more] = chunk.split('\n');
    rest += first;
    for (const next of more) {
      if (!isTooLong && rest !== '' && !take(rest)) return false;
      isTooLong = false;
      rest = next;
    }
    if (rest.length > LONGEST) {
      isTooLong = true;
      rest = '';
    }
    return true;
  };
}
