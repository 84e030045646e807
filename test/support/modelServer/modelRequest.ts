import type { IncomingHttpHeaders } from 'node:http';

/** One message of a request, in a form common to all APIs. */
export interface RequestMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
  /** Images as `data:` URLs. */
  images: readonly string[];
  calls: readonly { id: string; name: string; arguments: unknown }[];
  results: readonly { callId: string; text: string; isError: boolean }[];
}

/** A client's request to the scripted model. */
export interface ModelRequest {
  dialect: 'chat' | 'responses' | 'messages';
  headers: IncomingHttpHeaders;
  /** The unmodified body. */
  body: unknown;
  model: string;
  messages: readonly RequestMessage[];
  tools: readonly string[];
  /** The text of the last message, including tool results. */
  lastText: string;
  /** Resolves if the client disconnects before the answer is complete. */
  hungUp: Promise<void>;
  /** Resolves once the whole answer is sent. */
  answered: Promise<void>;
}
