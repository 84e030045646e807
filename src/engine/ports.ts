import type { Disposable } from '../base/disposable';

/** What the engine asks of the world. `src/node` answers with Node, `src/host` with the editor, tests with memory. */

export interface FileStat {
  kind: 'file' | 'directory' | 'other';
  /** Bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
}

export interface DirectoryEntry {
  name: string;
  kind: 'file' | 'directory' | 'symlink' | 'other';
}

/** A lock that is held until it is released, or taken away. */
export interface FileLock {
  /** False when it was released, removed, or another one took it over. Asked before each write that needs it. */
  isHeld(): boolean;
  release(): Promise<void>;
}

/**
 * Files by absolute path. Every method rejects with an EngineError whose reason is `not-found`, `denied`,
 * `is-directory`, `not-directory`, `exists` or `io` and whose message names the path.
 */
export interface FileSystem {
  readFile(path: string): Promise<Uint8Array>;
  /** Replaces the whole file atomically, keeps its mode, and makes missing parent folders. */
  writeFile(path: string, bytes: Uint8Array): Promise<void>;
  /** Adds to the end, all of it or nothing, making the file when it is missing. */
  appendFile(path: string, text: string): Promise<void>;
  /** The same for one line, which comes without its line break; it also stands alone behind one that was cut off. */
  appendLine(path: string, line: string): Promise<void>;
  stat(path: string): Promise<FileStat>;
  /** The same, but undefined for what is not there: an error for each file that need not be there takes its time. */
  find(path: string): Promise<FileStat | undefined>;
  readDirectory(path: string): Promise<DirectoryEntry[]>;
  makeDirectory(path: string): Promise<void>;
  /** Removes a file or a whole folder; a missing one is no error. */
  remove(path: string): Promise<void>;
  /** Moves a file or a whole folder to where a person can get it back; absent where there is no such place. */
  trash?(path: string): Promise<void>;
  /**
   * Takes a lock that holds between processes and is named by a file, whose folder has to be there. Null when another process
   * has it. The lock of a process that is gone is taken over; within one process it keeps nobody out, and whoever had it
   * before has it no more.
   */
  lock(path: string): Promise<FileLock | null>;
  /**
   * Does `work` while nobody else who asks here changes these files, in this process or another of this person, however their
   * paths are written. Rejects with AbortError while it waits, and with what `work` rejects.
   */
  inTurn<T>(paths: readonly string[], work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** True while another process has that lock. */
  isLocked(path: string): Promise<boolean>;
  /**
   * Does work, such as reading, changing and writing a file, while nobody else does theirs under the lock of that name, in
   * this process or another one. Its folder has to be there. Rejects with EngineError `io` when another process does not come
   * to an end.
   */
  exclusively<T>(lock: string, work: () => Promise<T>): Promise<T>;
  /** The path with symbolic links resolved; of a path that does not exist, its nearest existing parent resolved. */
  realPath(path: string): Promise<string>;
  /** The SHA-256 of a text as UTF-8, in hex. Absent where Web Crypto has to do it, which takes far longer for a short text. */
  readonly digest?: (text: string) => string;
  /** Tells, soon after, that something in a folder or below it changed; the folder may appear later. Absent where nobody can tell. */
  readonly watch?: (folder: string, onChange: () => void) => Disposable;
}

/** How paths are written on this machine. */
export interface PathStyle {
  isAbsolute(path: string): boolean;
  /** Joins and normalises; later absolute parts replace earlier ones. Gives an absolute path when `base` is one. */
  resolve(base: string, ...parts: string[]): string;
  /** With forward slashes; begins with `..` when `path` lies outside `base`. */
  relative(base: string, path: string): string;
  dirname(path: string): string;
  basename(path: string): string;
}

export interface GrepMatch {
  /** Absolute. */
  path: string;
  /** From 1. */
  line: number;
  text: string;
}

export interface FileQuery {
  /** Absolute folder to search below. */
  root: string;
  /** Glob relative to `root`; `**` crosses folders. Without it every file counts. */
  include?: string;
  /** True for files that are passed over unread. */
  readonly passesOver?: (path: string) => boolean;
  /** Stop after so many results. */
  limit: number;
}

/** Finds files and text below a folder; `grep` also in one file. Leaves out what `.gitignore` names, and the folders `.git` and `node_modules`. */
export interface FileSearch {
  /** Absolute paths, sorted. `complete` is false when the limit cut the list. */
  glob(query: FileQuery & { include: string }, signal: AbortSignal): Promise<{ paths: string[]; complete: boolean }>;
  /** `pattern` is a regular expression; one that does not parse rejects with EngineError `invalid-input`. */
  grep(
    query: FileQuery & { pattern: string },
    signal: AbortSignal,
  ): Promise<{ matches: GrepMatch[]; complete: boolean }>;
}

export interface ProcessRequest {
  /** A line for the platform's shell. */
  command: string;
  cwd: string;
  /** Without it, as long as it takes. */
  timeoutMs?: number;
  /** Standard output and error, in the order they came. A promise holds back what follows until it resolves. */
  onOutput(chunk: string): void | Promise<void>;
}

export interface ProcessEnd {
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  durationMs: number;
}

/** Runs commands. When the signal aborts or the time is up, the process and all its children are ended. */
export interface ProcessRunner {
  /** Rejects with AbortError when aborted, with EngineError `io` when the command could not be started. */
  run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessEnd>;
}

export interface WebRequest {
  /** http or https. */
  url: string;
  /** Whether a private, local or link-local address of this host may be spoken to; asked for each hop. */
  allowsPrivate(host: string): Promise<boolean>;
  timeoutMs: number;
  maxBytes: number;
  /** Sent to the origin of `url` alone, wherever it redirects. */
  headers?: Readonly<Record<string, string>>;
  /** JSON, sent by POST; what redirects then is refused. */
  body?: string;
}

/** Which parts of a text in HTML or XML are wanted, by CSS selectors. */
export interface MarkupQuery {
  type: 'html' | 'xml';
  /** Of what is one item. */
  each: string;
  /** Of its parts, by name; with the attribute that is wanted instead of the text. */
  fields: Readonly<Record<string, { at: string; attribute?: string }>>;
}

/** Of one item every value of each field, in order. */
export type MarkupItem = Readonly<Record<string, readonly string[]>>;

export interface WebResponse {
  /** After redirects. */
  url: string;
  status: number;
  /** As the server says, such as `text/html; charset=utf-8`; empty when it says nothing. */
  contentType: string;
  body: Uint8Array;
}

/** What a page says. */
export interface PageText {
  title: string;
  markdown: string;
  /** True for one that could not be laid out as Markdown in good time, so that these are its words alone. */
  isPlain?: boolean;
}

/** Reads from the web. */
export interface Web {
  /**
   * GET, or POST of a body, following a handful of redirects. Rejects with AbortError when aborted, with EngineError `denied` for an address
   * that may not be spoken to, `invalid-input` for what is no address, and `io` when there is no answer or one too big.
   */
  get(request: WebRequest, signal: AbortSignal): Promise<WebResponse>;
  /** The readable part of a page as Markdown, its links absolute. Rejects with AbortError when aborted. */
  toMarkdown(html: string, url: string, signal: AbortSignal): Promise<PageText>;
  /** Takes a text apart. Rejects with EngineError `io` when that would take too long, and with AbortError. */
  itemsIn(text: string, query: MarkupQuery, signal: AbortSignal): Promise<readonly MarkupItem[]>;
}

/** How vendors and model servers are asked, as the platform's `fetch` does it. */
export type Fetch = typeof fetch;

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Rejects with AbortError when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls `ring` then, unless it is disposed before: a wait that mostly ends before its time costs less so. Absent: it sleeps. */
  alarm?(ms: number, ring: () => void): Disposable;
}

/** Names of secrets are `apiKey.openai`, and `secret.NAME` for what a person keeps under a name of their own. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  /** Those of the second kind; absent where there are none. */
  names?(): Promise<readonly string[]>;
  /** Tells that something was stored or forgotten, also by another process; absent where that cannot be. */
  onChange?(listener: () => void): Disposable;
  /** True while a person would have to be asked for what is kept: that is only done for what is needed, not to know what to hide. */
  isLocked?(): boolean;
  /** What else must not be shown: the values that commands do not get of the environment. */
  hidden?(): readonly string[];
}

export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

/** A text that is passed on piece by piece; what cannot be decided about yet is held back until the next, or the end. */
export interface TextPieces {
  push(piece: string): string;
  end(): string;
}

/** All ports together. */
export interface Ports {
  files: FileSystem;
  paths: PathStyle;
  search: FileSearch;
  processes: ProcessRunner;
  web: Web;
  /** Default: that of the process, as it is when something is asked. */
  fetch?: Fetch;
  clock: Clock;
  secrets: SecretStore;
  log: Log;
  /** Takes known secrets out of a text. The engine sets this and what follows for its parts. */
  strike?: (text: string) => string;
  /** The same for a text that comes in pieces. */
  strikePieces?: () => TextPieces;
  /** Resolves when every secret that is kept is known, so that it can be struck out. */
  secretsKnown?: () => Promise<void>;
}
