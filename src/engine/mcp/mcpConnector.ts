import { EngineError } from '../engineError';
import type { McpLaunch, RemoteLaunch } from './mcpServer';
import type { ServerAnswer } from './questions/answerServer';

/** The server no longer knows the session, and so has not done what was asked: a new connection may ask again. */
export class SessionOverError extends EngineError {
  constructor(cause: unknown) {
    super('io', 'It ended the session.', { cause });
  }
}

/** Why a server is no longer there. */
export interface McpEnd {
  /** A sentence: “It ended with status 1. It last said: …”. */
  readonly why: string;
}

/** Which protocol a server speaks: the older, or the one in which it says of itself what `discovered` holds, as it was sent. */
export type McpEra =
  { readonly kind: 'legacy' } | { readonly kind: 'modern'; readonly discovered: Readonly<Record<string, unknown>> };

export interface McpConnectOptions {
  /** Found out by a connection before; without it the server is asked where both are possible. */
  readonly era?: McpEra | undefined;
  /** For the server to be ready. */
  readonly timeoutMs: number;
  /** Values within the launch that nobody may be shown. */
  readonly secrets: readonly string[];
  /** What it says beside its answers, without secrets: a line of its error output, or a message for its log. */
  onSaid(from: 'stderr' | 'server', line: string): void;
  /** The connection is gone, and nobody closed it. */
  onEnd(end: McpEnd): void;
  /** It has other tools, resources or prompts now. */
  onListsChanged(): void;
}

export interface McpCallOptions {
  readonly signal: AbortSignal;
  /** Stands still while the person is asked. */
  readonly timeoutMs: number;
  /** What the server says of how far it is. */
  onProgress(text: string): void;
  /** Answers what the server asks meanwhile, as it was sent; without it that is declined. Rejects only with AbortError. */
  onQuestion?(question: unknown, signal: AbortSignal): Promise<ServerAnswer>;
}

/** What is asked of a server beside its tools. */
export type ListRequest = 'resources/list' | 'resources/templates/list' | 'prompts/list';
export type McpRequest = ListRequest | 'resources/read' | 'prompts/get' | 'completion/complete';

/** A server that is ready. Its answers come as they were sent: nothing of them was checked. */
export interface McpLink {
  /** Which protocol was found out; undefined where there is nothing to find out. */
  readonly era: McpEra | undefined;
  /** What it says that it can: names such as `tools`, `resources`. */
  readonly abilities: ReadonlySet<string>;
  /** What it says of itself, for models; empty when it says nothing. */
  readonly instructions: string;
  /** One page of its tools. Rejects with EngineError `io` and AbortError. */
  listTools(cursor: string | undefined, signal: AbortSignal): Promise<unknown>;
  /** Rejects with EngineError `io` in words for the model, and with AbortError. */
  callTool(name: string, input: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<unknown>;
  /** Anything else, with the parameters as the protocol has them. Rejects as `callTool` does. */
  request(
    method: McpRequest,
    params: Readonly<Record<string, unknown>>,
    options: Omit<McpCallOptions, 'onProgress'>,
  ): Promise<unknown>;
  /** An address with variables. Throws EngineError `io` for one that is malformed. */
  template(text: string): AddressTemplate;
  /** Whether it answers at all before the signal aborts. Never rejects. */
  isAlive(signal: AbortSignal): Promise<boolean>;
  /** Ends it, with all that it started. Never rejects. */
  close(): Promise<void>;
}

export interface AddressTemplate {
  readonly variables: readonly string[];
  /** A variable without a value leaves nothing. Throws EngineError `invalid-input` for a value that is too long. */
  readonly fill: (values: Readonly<Record<string, string>>) => string;
}

/** Where sign-ins to servers are kept, encrypted, for all windows and processes of the person. */
export interface SignInStore {
  get(name: string): Promise<string | undefined>;
  /** Undefined forgets it. Rejects with EngineError that says what to do when nothing can be kept. */
  set(name: string, value: string | undefined): Promise<void>;
  /** Told of each value that nobody may be shown. */
  hide(value: string): void;
  /** Does work while no other window or process does theirs with the sign-in of that name. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Where a person is shown which address they sign in at. */
export interface SignInPage {
  /**
   * Shows it whole and, when the person agrees, opens it. Resolves with the address that they were sent back to, where they typed
   * it; with undefined when that is heard of otherwise. Rejects with AbortError when they do not agree, or the signal aborts.
   */
  show(address: URL, signal: AbortSignal): Promise<string | undefined>;
}

/** Starts and reaches servers. Of one that wants the person to sign in all rejects with EngineError `denied`. */
export interface McpConnector {
  /** The launch is filled in. Rejects with EngineError `io`, which says why it is not ready, and with AbortError. */
  connect(launch: McpLaunch, options: McpConnectOptions, signal: AbortSignal): Promise<McpLink>;
  /** Has the person sign in, and keeps it. Rejects with EngineError `denied` and `io`, and with AbortError. */
  signIn(launch: RemoteLaunch, page: SignInPage, signal: AbortSignal): Promise<void>;
  /** Forgets the sign-in; false when there was none. */
  signOut(launch: RemoteLaunch): Promise<boolean>;
}
