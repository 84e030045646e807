import { EngineError } from '../engineError';
import type { McpLaunch, RemoteLaunch } from './mcpServer';
import type { ServerAnswer } from './questions/answerServer';

/** The server no longer knows the session and so did not carry out the request; it may be retried on a new connection. */
export class SessionOverError extends EngineError {
  constructor(cause: unknown) {
    super('io', 'It ended the session.', { cause });
  }
}

/** The server sent a malformed answer. The message is a sentence that begins with "It", such as "It sent an answer with …". */
export class MalformedAnswerError extends EngineError {
  constructor(message: string, cause: unknown) {
    super('io', message, { cause });
  }
}

/** Why a server's connection ended. */
interface McpEnd {
  /** A sentence, such as "It ended with status 1. It last said: …". */
  readonly why: string;
}

/** Which protocol a server speaks: the older one, or the one in which it describes itself. `discovered` is that description, unchanged. */
export type McpEra =
  { readonly kind: 'legacy' } | { readonly kind: 'modern'; readonly discovered: Readonly<Record<string, unknown>> };

export interface McpConnectOptions {
  /** Detected by an earlier connection. Without it, the server is asked where both are possible. */
  readonly era?: McpEra | undefined;
  /** Time limit for the server to become ready. */
  readonly timeoutMs: number;
  /** Values within the launch that must not be shown to anyone. */
  readonly secrets: readonly string[];
  /** Called with output outside its answers, secrets removed: a line from stderr, or a log message. */
  onSaid(from: 'stderr' | 'server', line: string): void;
  /** Called when the connection ends without having been closed by Cairn. */
  onEnd(end: McpEnd): void;
  /** Called when its tools, resources, or prompts have changed. */
  onListsChanged(): void;
}

export interface McpCallOptions {
  readonly signal: AbortSignal;
  /** Paused while the user is being asked. */
  readonly timeoutMs: number;
  /** The tool's input schema, as the server said it. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  /** Called with the server's progress reports. */
  onProgress(text: string): void;
  /**
   * Answers a question the server asks during the call, passed on unchanged. If absent, questions are declined. Rejects only with
   * AbortError.
   */
  onQuestion?(question: unknown, signal: AbortSignal): Promise<ServerAnswer>;
}

/** Requests to a server other than tool calls. */
export type ListRequest = 'resources/list' | 'resources/templates/list' | 'prompts/list';
export type McpRequest = ListRequest | 'resources/read' | 'prompts/get' | 'completion/complete';

/** A connection to a server that is ready. Its answers are returned unchanged and unchecked. */
export interface McpLink {
  /** The protocol that was detected; undefined where there is nothing to detect. */
  readonly era: McpEra | undefined;
  /** Whether values that a tool's schema says so of are also sent as headers. */
  readonly sendsHeaders?: boolean;
  /** The capabilities it declares, such as `tools` and `resources`. */
  readonly abilities: ReadonlySet<string>;
  /** Its instructions for models; empty if there are none. */
  readonly instructions: string;
  /** Returns one page of its tools. Rejects with EngineError `io` and AbortError. */
  listTools(cursor: string | undefined, signal: AbortSignal): Promise<unknown>;
  /** Rejects with EngineError `io`, worded for the model, and with AbortError. */
  callTool(name: string, input: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<unknown>;
  /** Sends any other request, with the protocol's parameters. Rejects as `callTool` does. */
  request(
    method: McpRequest,
    params: Readonly<Record<string, unknown>>,
    options: Omit<McpCallOptions, 'onProgress' | 'schema'>,
  ): Promise<unknown>;
  /** Parses a URI template. Throws EngineError `io` if it is malformed. */
  template(text: string): AddressTemplate;
  /** Whether it answers at all before the signal aborts. Never rejects. */
  isAlive(signal: AbortSignal): Promise<boolean>;
  /** Ends it and everything it started. Never rejects. */
  close(): Promise<void>;
}

export interface AddressTemplate {
  readonly variables: readonly string[];
  /**
   * Expands the template; a variable without a value expands to nothing. Throws EngineError `invalid-input` for a value that is
   * too long.
   */
  readonly fill: (values: Readonly<Record<string, string>>) => string;
}

/** Encrypted storage for server sign-ins, shared by all of the user's windows and processes. */
export interface SignInStore {
  get(name: string): Promise<string | undefined>;
  /** Undefined deletes the value. Rejects with an EngineError that says what to do if nothing can be stored. */
  set(name: string, value: string | undefined): Promise<void>;
  /** Called with each value that must not be shown to anyone. */
  hide(value: string): void;
  /** Runs `work` under a lock on the sign-in of that name, across all windows and processes. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Shows the user the address they sign in at. */
export interface SignInPage {
  /**
   * Shows the whole address and opens it if the user agrees. Resolves with the address they were sent back to if they typed it
   * in, or with undefined if it is received another way. Rejects with AbortError if they do not agree or the signal aborts.
   */
  show(address: URL, signal: AbortSignal): Promise<string | undefined>;
}

/** Starts and connects to servers. If a server requires the user to sign in, every method rejects with EngineError `denied`. */
export interface McpConnector {
  /**
   * Placeholders in the launch are already resolved. Rejects with an EngineError `io` that says why the server is not ready, and
   * with AbortError.
   */
  connect(launch: McpLaunch, options: McpConnectOptions, signal: AbortSignal): Promise<McpLink>;
  /** Signs the user in and stores the result. Rejects with EngineError `denied` and `io`, and with AbortError. */
  signIn(launch: RemoteLaunch, page: SignInPage, signal: AbortSignal): Promise<void>;
  /** Deletes the sign-in. Resolves to false if there was none. */
  signOut(launch: RemoteLaunch): Promise<boolean>;
}
