import type { Disposable } from '../base/disposable';

/** The engine's interface to the outside world. `src/node` implements it with Node, `src/host` with the editor, tests in memory. */

export interface FileStat {
  kind: 'file' | 'directory' | 'other';
  /** In bytes. */
  size: number;
  /** Milliseconds since the epoch. */
  modifiedAt: number;
}

export interface DirectoryEntry {
  name: string;
  kind: 'file' | 'directory' | 'symlink' | 'other';
}

/** A lock that is held until it is released or taken away. */
export interface FileLock {
  /** Returns false once the lock was released, removed or taken over. Checked before each write that needs it. */
  isHeld(): boolean;
  release(): Promise<void>;
}

/**
 * Files by absolute path. Every method rejects with an EngineError whose reason is `not-found`, `denied`,
 * `is-directory`, `not-directory`, `exists` or `io` and whose message names the path.
 */
export interface FileSystem {
  readFile(path: string): Promise<Uint8Array>;
  /**
   * Replaces the whole file atomically, keeps its mode, and creates missing parent folders. Rejects with `io` if the path leads
   * elsewhere than to `real`, its real path when the change was judged.
   */
  writeFile(path: string, bytes: Uint8Array, real?: string): Promise<void>;
  /** Appends all of the text or nothing, and creates the file if it is missing. */
  appendFile(path: string, text: string): Promise<void>;
  /** Appends one line, given without its line break; if the last line was cut off, this one still begins on its own line. */
  appendLine(path: string, line: string): Promise<void>;
  stat(path: string): Promise<FileStat>;
  /** Like `stat`, but undefined for a missing file: an error for each optional file would take time. */
  find(path: string): Promise<FileStat | undefined>;
  readDirectory(path: string): Promise<DirectoryEntry[]>;
  makeDirectory(path: string): Promise<void>;
  /** Removes a file or a whole folder; a missing one is not an error. */
  remove(path: string): Promise<void>;
  /** Moves a file or a whole folder to where the user can restore it; absent if there is no such place. */
  trash?(path: string): Promise<void>;
  /**
   * Takes a lock between processes, named by a file whose folder must exist. Null if another process has it. The lock of a
   * process that is gone is taken over. Within one process it excludes nobody: a new holder takes it from the previous one.
   */
  lock(path: string): Promise<FileLock | null>;
  /**
   * Runs `work` while no other caller of this method changes these files, in this process or another of the same user, however
   * their paths are written. Rejects with AbortError if aborted while waiting, and with what `work` rejects with.
   */
  inTurn<T>(paths: readonly string[], work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Returns true while another process has that lock. */
  isLocked(path: string): Promise<boolean>;
  /**
   * Runs `work`, such as reading, changing and writing a file, while no other process and no other caller in this one does so
   * under the same lock. Its folder must exist. Rejects with EngineError `io` if another process does not finish.
   */
  exclusively<T>(lock: string, work: () => Promise<T>): Promise<T>;
  /** Returns the path with symbolic links resolved; for a path that does not exist, with its nearest existing parent resolved. */
  realPath(path: string): Promise<string>;
  /** Returns the SHA-256 of a text as UTF-8, in hex. If absent, Web Crypto has to do it, which takes far longer for a short text. */
  readonly digest?: (text: string) => string;
  /**
   * Reports, shortly afterwards, that something in a folder or below it changed; the folder may be created later. Absent if this
   * is not supported.
   */
  readonly watch?: (folder: string, onChange: () => void) => Disposable;
}

/** The path syntax of this machine. */
export interface PathStyle {
  isAbsolute(path: string): boolean;
  /** Joins and normalizes; later absolute parts replace earlier ones. Returns an absolute path if `base` is one. */
  resolve(base: string, ...parts: string[]): string;
  /** Uses forward slashes; the result begins with `..` if `path` is outside `base`. */
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
  /** Glob relative to `root`; `**` crosses folders. If missing, every file counts. */
  include?: string;
  /** Returns true for files to skip without reading them. */
  readonly passesOver?: (path: string) => boolean;
  /** Stops after this many results. */
  limit: number;
}

/**
 * Finds files and text below a folder; `grep` also in a single file. Skips what `.gitignore` names, and the folders `.git` and
 * `node_modules`.
 */
export interface FileSearch {
  /** Absolute paths, sorted. `complete` is false if the limit cut the list. */
  glob(query: FileQuery & { include: string }, signal: AbortSignal): Promise<{ paths: string[]; complete: boolean }>;
  /** `pattern` is a regular expression; if it does not parse, rejects with EngineError `invalid-input`. */
  grep(
    query: FileQuery & { pattern: string },
    signal: AbortSignal,
  ): Promise<{ matches: GrepMatch[]; complete: boolean }>;
}

export interface ProcessRequest {
  /** A line for the platform's shell. */
  command: string;
  cwd: string;
  /** Unlimited if missing. */
  timeoutMs?: number;
  /** Standard output and error, in order of arrival. If it returns a promise, further output is held back until that resolves. */
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
  /** Rejects with AbortError if aborted, with EngineError `io` if the command could not be started. */
  run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessEnd>;
}

export interface WebRequest {
  /** http or https. */
  url: string;
  /** Whether a private, local or link-local address of this host may be contacted; called for each hop. */
  allowsPrivate(host: string): Promise<boolean>;
  /** Called with the address before each redirect is followed. If it rejects, so does the request. */
  onRedirect?(url: string): Promise<void>;
  timeoutMs: number;
  maxBytes: number;
  /** Only sent to the origin of `url`, wherever it redirects. */
  headers?: Readonly<Record<string, string>>;
  /** JSON, sent with POST; redirects are then refused. */
  body?: string;
}

/** The parts to extract from HTML or XML text, as CSS selectors. */
export interface MarkupQuery {
  type: 'html' | 'xml';
  /** Selects the items. */
  each: string;
  /** Selects the parts of an item, by name; with an attribute to return instead of the text. */
  fields: Readonly<Record<string, { at: string; attribute?: string }>>;
}

/** All values of each field of an item, in order. */
export type MarkupItem = Readonly<Record<string, readonly string[]>>;

export interface WebResponse {
  /** After redirects. */
  url: string;
  status: number;
  /** As sent by the server, such as `text/html; charset=utf-8`; empty if missing. */
  contentType: string;
  body: Uint8Array;
}

/** The content of a page. */
export interface PageText {
  title: string;
  markdown: string;
  /** True if the page could not be converted to Markdown in reasonable time, so that this is just its text. */
  isPlain?: boolean;
}

/** Access to the web. */
export interface Web {
  /**
   * Sends GET, or POST with a body, and follows a handful of redirects. Rejects with AbortError if aborted, with EngineError
   * `denied` for an address that may not be contacted, `invalid-input` for an invalid address, and `io` if there is no response
   * or it is too big.
   */
  get(request: WebRequest, signal: AbortSignal): Promise<WebResponse>;
  /** Returns the readable part of a page as Markdown, with absolute links. Rejects with AbortError if aborted. */
  toMarkdown(html: string, url: string, signal: AbortSignal): Promise<PageText>;
  /** Extracts items from a text. Rejects with EngineError `io` if that would take too long, and with AbortError. */
  itemsIn(text: string, query: MarkupQuery, signal: AbortSignal): Promise<readonly MarkupItem[]>;
}

/** The function that sends requests to vendors and model servers, like the platform's `fetch`. */
export type Fetch = typeof fetch;

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Rejects with AbortError if the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls `ring` after `ms`, unless disposed before: cheaper for a wait that mostly ends early. If absent, `sleep` is used. */
  alarm?(ms: number, ring: () => void): Disposable;
}

/** Secrets are named `apiKey.openai`, or `secret.NAME` for those that the user stores under a custom name. */
export interface SecretStore {
  get(name: string): Promise<string | undefined>;
  /** The names of the second kind; absent if there are none. */
  names?(): Promise<readonly string[]>;
  /** Reports that something was stored or deleted, including by another process; absent if that cannot happen. */
  onChange?(listener: () => void): Disposable;
  /**
   * True while the user would have to be prompted to unlock the secrets. That is only done for a secret that is needed, not to
   * know what to redact.
   */
  isLocked?(): boolean;
  /** Other text that must not be shown: the environment values that commands do not receive. */
  hidden?(): readonly string[];
}

export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

/** A text that is passed on in chunks; what cannot be decided yet is held back until the next chunk or the end. */
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
  /** Default: the global `fetch`, as it is at the time of a request. */
  fetch?: Fetch;
  clock: Clock;
  secrets: SecretStore;
  log: Log;
  /** Removes known secrets from a text. The engine sets this and the following for its parts. */
  strike?: (text: string) => string;
  /** The same for a text that arrives in chunks. */
  strikePieces?: () => TextPieces;
  /** Resolves once every stored secret is known, so that it can be redacted. */
  secretsKnown?: () => Promise<void>;
}
