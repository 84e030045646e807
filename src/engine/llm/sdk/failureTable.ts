import type { LlmFailureReason } from '../llmClient';

/** Matches one way that vendors report a failure. `said` is tested against the error's codes and message. */
export interface FailureRow {
  reason: LlmFailureReason;
  /** The HTTP statuses the row applies to. Absent: any, including errors inside a stream, which have no status. */
  status?: (status: number | undefined) => boolean;
  said?: RegExp;
}

const overflow = new RegExp(
  [
    'context_length_exceeded', // OpenAI, and most compatible hosts
    'maximum context length', // OpenAI, OpenRouter, vLLM, Mistral
    'exceeds the context window', // OpenAI
    'prompt is too long', // Anthropic
    'exceed context limit', // Anthropic: input plus max_tokens
    'request_too_large', // Anthropic: byte limit
    'input token count.*exceeds the maximum', // Gemini
    'maximum prompt length is', // xAI
    'reduce the length of the messages', // Groq
    'exceeds the available context size', // llama.cpp
    'greater than the context length', // LM Studio
    'context window exceeds limit', // MiniMax
    'exceeded model token limit', // Moonshot
    'input is too long for requested model', // Bedrock
    'context length exceeded',
    'too many (input )?tokens in (the )?(prompt|request)',
  ].join('|'),
  'i',
);

const unknownModel = new RegExp(
  [
    'model_not_found',
    'model[^.]{0,120}(not found|does not exist|not exist|is not available|is not supported)',
    '(unknown|invalid|no such|not a valid) model',
    'not_found_error.*model', // Anthropic: "model: claude-0"
  ].join('|'),
  'i',
);

const refusal = (status: number | undefined) => status !== undefined && status >= 400 && status < 500;

/** The first matching row decides. */
export const FAILURE_TABLE: readonly FailureRow[] = [
  { reason: 'context-overflow', status: (status) => status !== 429, said: overflow },
  { reason: 'unknown-model', status: refusal, said: unknownModel },
  { reason: 'auth', status: (status) => status === 401 || status === 403 },
  {
    reason: 'auth',
    status: (status) => status === 400,
    said: /api[ _]key (not valid|is invalid)|invalid[ _]api[ _]key/i,
  },
  { reason: 'rate-limit', status: (status) => status === 429 },
  { reason: 'rate-limit', status: (status) => status === undefined, said: /rate_limit|too many requests/i },
  { reason: 'context-overflow', status: (status) => status === 413 },
  { reason: 'server', status: (status) => status === 408 || status === 409 },
  // These point to a wrong base URL rather than to a bad request or the network.
  { reason: 'unreachable', status: (status) => status === 404 || status === 405 },
  { reason: 'bad-request', status: refusal },
  { reason: 'bad-request', status: (status) => status === undefined, said: /invalid_request/i },
  { reason: 'server' },
];

/** An account without credit. Vendors report this with 400, 402, or 429. */
export const NO_CREDIT =
  /insufficient[ _](quota|balance|credit)|credit balance is too low|exceeded your current quota/i;

/** Network errors by code. Each text completes a sentence that begins with the address. */
export const NETWORK_ERRORS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'refused the connection. Check that the server is running and that the base URL is right'],
  ['ENOTFOUND', 'could not be found. Check the base URL and your network connection'],
  ['EAI_AGAIN', 'could not be looked up. Check your network connection'],
  ['ECONNRESET', 'closed the connection before answering. Try again; a proxy may be in the way'],
  ['UND_ERR_SOCKET', 'closed the connection before answering. Try again; a proxy may be in the way'],
  ['ETIMEDOUT', 'did not answer in time. Check your network connection and try again'],
  ['UND_ERR_CONNECT_TIMEOUT', 'did not answer in time. Check your network connection and try again'],
  ['UND_ERR_HEADERS_TIMEOUT', 'did not answer in time. Try again'],
  ['ENETUNREACH', 'is unreachable. Check your network connection'],
  ['EHOSTUNREACH', 'is unreachable. Check your network connection'],
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'presented a certificate that this machine does not trust. Add it to NODE_EXTRA_CA_CERTS',
  ],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'presented a certificate that this machine does not trust. Add it to NODE_EXTRA_CA_CERTS',
  ],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'presented a certificate that cannot be verified. Add it to NODE_EXTRA_CA_CERTS'],
  ['CERT_HAS_EXPIRED', 'presented a certificate that has expired. Tell whoever runs the server'],
]);
