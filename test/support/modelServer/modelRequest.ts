import type { IncomingHttpHeaders } from 'node:http';

/** One message of a request, in the same form for every interface. */
export interface RequestMessage {
  role: 'system' | 'user' | 'assistant' | 'tool';
  text: string;
  /** Pictures, as `data:` addresses. */
  images: readonly string[];
  calls: readonly { id: string; name: string; arguments: unknown }[];
  results: readonly { callId: string; text: string; isError: boolean }[];
}

/** What a client asked the scripted model. */
export interface ModelRequest {
  dialect: 'chat' | 'responses' | 'messages';
  headers: IncomingHttpHeaders;
  /** As it came. */
  body: unknown;
  model: string;
  messages: readonly RequestMessage[];
  tools: readonly string[];
  /** Of the last message, with the results of tools. */
  lastText: string;
  /** Resolves when the client hung up before the answer was whole. */
  hungUp: Promise<void>;
  /** Resolves when the whole answer is sent. */
  answered: Promise<void>;
}
