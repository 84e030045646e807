import type { McpLaunch } from './mcpServer';

/** Why a server is no longer there. */
export interface McpEnd {
  /** A sentence: “It ended with status 1. It last said: …”. */
  readonly why: string;
}

export interface McpConnectOptions {
  /** For the server to be ready. */
  readonly timeoutMs: number;
  /** The connection is gone, and nobody closed it. */
  onEnd(end: McpEnd): void;
  /** Its list of tools is another one now. */
  onToolsChanged(): void;
}

export interface McpCallOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** What the server says of how far it is. */
  onProgress(text: string): void;
}

/** A server that is ready. Its answers come as they were sent: nothing of them was checked. */
export interface McpLink {
  /** What it says that it can: names such as `tools`, `resources`. */
  readonly abilities: ReadonlySet<string>;
  /** What it says of itself, for models; empty when it says nothing. */
  readonly instructions: string;
  /** One page of its tools. Rejects with EngineError `io` and AbortError. */
  listTools(cursor: string | undefined, signal: AbortSignal): Promise<unknown>;
  /** Rejects with EngineError `io` in words for the model, and with AbortError. */
  callTool(name: string, input: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<unknown>;
  /** Ends it, with all that it started. Never rejects. */
  close(): Promise<void>;
}

/** Starts and reaches servers. */
export interface McpConnector {
  /** The launch is filled in. Rejects with EngineError `io`, which says why it is not ready, and with AbortError. */
  connect(launch: McpLaunch, options: McpConnectOptions, signal: AbortSignal): Promise<McpLink>;
}
