import { assertNever } from '../../../base/errors';
import type { LlmFailure, LlmFailureReason } from '../llmClient';
import { retryAdvice } from './retryAdvice';
import { type SdkError, sdkError, StalledStream, UnexpectedResponse } from './sdkError';
import type { SdkTarget } from './sdkTarget';

/** Where the limit can be changed, in the editor and outside it. */
const IDLE_HINT =
  'If it needs more time, increase the setting "cairn.idleTimeout" (outside the editor the environment variable CAIRN_IDLE_TIMEOUT).';

interface FailureContext {
  target: SdkTarget;
  /** Removed from everything a vendor says. */
  key: string;
  /** How far the request got; `cut` if the stream ended without finishing. */
  phase: 'opening' | 'streaming' | 'cut';
  signal: AbortSignal;
}

/** Converts what an SDK threw into a failure with a user-facing message. */
export function sdkFailure(thrown: unknown, context: FailureContext): LlmFailure {
  const { target, phase, signal } = context;
  if (signal.aborted) return { reason: 'cancelled', message: `The request to ${target.label} was canceled.` };
  if (phase === 'cut') return cutStream(target);
  if (thrown instanceof StalledStream) return stalled(target, thrown.seconds);
  if (thrown instanceof UnexpectedResponse) return unexpectedResponse(thrown.message, thrown.status, target);
  const error = sdkError(thrown);
  const status = error.status;
  if (error.ownSentence !== undefined) {
    const retryable = isPassing(status);
    return { reason: 'unreachable', message: error.ownSentence, ...(status !== undefined && { status }), retryable };
  }
  if (status === 407) return proxySignIn(target);
  const { again, waitMs } = retryAdvice(thrown, error.text);
  const wait = waitMs !== undefined && { retryAfterMs: waitMs };
  if (error.isWebPage && status !== undefined && status < 500) {
    return { ...unexpectedResponse('a web page', status, target), retryable: again ?? isPassing(status), ...wait };
  }
  if (!error.fromVendor) return withoutAnswer(thrown, error, context);
  const reason = reasonOf(error);
  const message = sentence(reason, error, context, waitMs);
  return {
    reason,
    message,
    ...(status !== undefined && { status }),
    retryable: mayRetry(reason, error, again),
    ...(status === undefined && reason === 'server' && OVERLOADED.test(saidBy(error)) && { busy: true }),
    ...wait,
  };
}

/** Whether the same request may succeed later. `again`: what the vendor says about it. */
function mayRetry(reason: LlmFailureReason, error: SdkError, again: boolean | undefined): boolean {
  if (reason === 'context-overflow' || HOPELESS.test(saidBy(error))) return false;
  if (again !== undefined) return again;
  return error.status === undefined ? reason === 'rate-limit' || reason === 'server' : isPassing(error.status);
}

/** Whether a status can come from a condition that passes by itself. */
function isPassing(status: number | undefined): boolean {
  if (status === undefined) return false;
  return status === 408 || status === 409 || status === 429 || (status >= 500 && status !== 501);
}

function saidBy({ codes, text }: SdkError): string {
  return `${codes.join(' ')} ${text}`;
}

/** Returns why a request cannot work with this key and address, or undefined if it can be tried. */
export function settingsFailure(
  key: string,
  { label, keyVariable, baseUrl, needsKey }: SdkTarget,
): LlmFailure | undefined {
  if (baseUrl === '') {
    const message = `No base URL is set for ${label}. Set its address in the settings; it begins with http:// or https://.`;
    return { reason: 'unreachable', message };
  }
  const url = webAddress(baseUrl);
  if (!url || url.username !== '' || url.password !== '') {
    const wrong = url ? 'contains a user name or password, which Cairn does not send' : 'is not a web address';
    const message = `The base URL of ${label} ${wrong}. Correct it in the settings; it begins with http:// or https://.`;
    return { reason: 'unreachable', message };
  }
  if (key === '' && !needsKey) return undefined;
  if (key === '') return { reason: 'no-key', message: `No API key is set for ${label}. ${howToSetKey(keyVariable)}` };
  if (/^[\x21-\x7e]+$/.test(key)) return undefined;
  const wrong = 'contains a space, a line break, or a character that no key has';
  return { reason: 'auth', message: `The key for ${label} ${wrong}. ${howToSetKey(keyVariable)}` };
}

function howToSetKey(variable: string): string {
  return `Run "Cairn: Set API Key" in the editor, or set the environment variable ${variable}.`;
}

function reasonOf(error: SdkError): LlmFailureReason {
  const said = saidBy(error);
  const row = FAILURE_TABLE.find((one) => (one.status?.(error.status) ?? true) && (one.said?.test(said) ?? true));
  return row?.reason ?? 'server';
}

function sentence(
  reason: LlmFailureReason,
  error: SdkError,
  { target, key }: FailureContext,
  waitMs: number | undefined,
): string {
  const { label, model, keyVariable } = target;
  const status = error.status === undefined ? '' : ` (${error.status})`;
  const says = quote(error, key);
  if (NO_CREDIT.test(saidBy(error))) {
    return `Your ${label} account has no credit left${status}.${says} Check its plan and billing, or choose another model.`;
  }
  switch (reason) {
    case 'auth': {
      if (key === '') return `${label} requires an API key${status}.${says} ${howToSetKey(keyVariable)}`;
      const which = key.length >= 16 ? ` that ends in "${key.slice(-4)}"` : '';
      const detail = error.status === 401 ? '' : says;
      return `${label} rejected the key${which}${status}.${detail} To use another one: ${howToSetKey(keyVariable)}`;
    }
    case 'unknown-model':
      return `${label} has no model "${nameOf(model.id)}" for this key${status}. Choose another one in the model list, or with --model on the command line.`;
    case 'rate-limit':
      return `${label} is rate-limiting requests${status}.${says} ${tryAgain(waitMs)}, or choose another model.`;
    case 'context-overflow':
      return `The conversation is longer than ${model.id} can read${status}.${says} Start a new session, or choose a model with a larger window.`;
    case 'server':
      return `${label} returned a server error${status}.${says} Try again in a moment, or choose another model.`;
    case 'unreachable':
      return `${addressOf(target)} does not respond like ${label}${status}.${says} Check the base URL in the settings.`;
    case 'bad-request':
      return `${label} rejected the request to ${nameOf(model.id)}${status}.${says} Choose another model, or start a new session.`;
    case 'no-key':
    case 'cut-stream':
    case 'middleware':
    case 'cancelled':
      // No row of the table has these reasons.
      return `${label} did not answer${status}.`;
    default:
      return assertNever(reason);
  }
}

/** A wait of up to a minute is over after the retries, or nearly. */
function tryAgain(waitMs = 0): string {
  const minutes = Math.ceil(waitMs / 60_000);
  if (minutes <= 1) return 'Wait a moment and try again';
  const hours = Math.ceil(minutes / 60);
  if (hours > 48) return 'Try again in some days';
  return `Try again in about ${minutes < 90 ? `${minutes} minutes` : `${hours} hours`}`;
}

function withoutAnswer(thrown: unknown, error: SdkError, { target, key, phase }: FailureContext): LlmFailure {
  if (phase === 'streaming' && !(thrown instanceof SyntaxError)) return cutStream(target);
  if (thrown instanceof SyntaxError) return unexpectedResponse('data that is not JSON', undefined, target);
  const known = error.codes.flatMap((code) => NETWORK_ERRORS.get(code) ?? [])[0];
  const late = /^request timed out/i.test(error.text)
    ? `did not start to answer in time. ${IDLE_HINT.slice(0, -1)}`
    : undefined;
  const says = /^connection error\.?$/i.test(error.text) ? '' : quote(error, key);
  const what = known ?? late ?? `did not answer.${says} Check the base URL and your network connection`;
  const retryable = !error.codes.some((code) => isLasting(code, target));
  return { reason: 'unreachable', message: `${addressOf(target)} (${target.label}) ${what}.`, retryable };
}

/** Whether a network error will be the same on the next try. Where something answered before, it may be restarting. */
function isLasting(code: string, { answered, baseUrl }: SdkTarget): boolean {
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return answered?.has(baseUrl) !== true;
  return /CERT|SELF_SIGNED|UNABLE_TO|ERR_SSL|ERR_TLS|ERR_INVALID_URL/.test(code);
}

function cutStream(target: SdkTarget): LlmFailure {
  return {
    reason: 'cut-stream',
    message: `The response from ${target.label} was cut off (${addressOf(target)}). Continue the session, or send your message again.`,
  };
}

function stalled(target: SdkTarget, seconds: number): LlmFailure {
  const happened = `${target.label} sent nothing for ${seconds} seconds (${addressOf(target)}), so the response was treated as interrupted.`;
  return {
    reason: 'cut-stream',
    message: `${happened} Continue the session, or send your message again. ${IDLE_HINT}`,
  };
}

function unexpectedResponse(what: string, status: number | undefined, target: SdkTarget): LlmFailure {
  const shown = status === undefined ? '' : ` (${status})`;
  return {
    reason: 'unreachable',
    message: `${addressOf(target)} answered with ${what} instead of a model's reply${shown}. Check the base URL of ${target.label}; a proxy or sign-in page may be in the way.`,
    ...(status !== undefined && { status }),
  };
}

/** Only proxies answer with 407. */
function proxySignIn(target: SdkTarget): LlmFailure {
  const url = webAddress(target.baseUrl);
  return {
    reason: 'unreachable',
    status: 407,
    message:
      (url && target.proxySignIn?.(url)) ??
      `The proxy on the way to ${addressOf(target)} (${target.label}) requires a user name and a password (407). Write them into the proxy's address, as in http://name:password@host:port: in the setting "http.proxy" of the editor, or in the environment variable HTTPS_PROXY.`,
  };
}

/** Returns the vendor's message on one line, truncated and with the key removed. */
function quote(error: SdkError, key: string): string {
  const plain = key === '' ? error.text : error.text.replaceAll(key, '…');
  const line = plain.replace(/\s+/g, ' ').trim();
  if (line === '' || error.isWebPage) return '';
  const said = line.length > 300 ? `${line.slice(0, 300)}…` : line;
  return ` It says: "${said}"${/[.!?…]$/.test(said) ? '' : '.'}`;
}

/** Omits credentials and the query. */
function addressOf({ baseUrl }: SdkTarget): string {
  const url = webAddress(baseUrl);
  if (!url) return 'The base URL';
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}

/** Looked up for each request, nearly always with the same address. */
let lastAddress: { text: string; url: URL | undefined } | undefined;

function webAddress(text: string): URL | undefined {
  if (lastAddress?.text !== text) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    lastAddress = { text, url: url && /^https?:$/.test(url.protocol) ? url : undefined };
  }
  return lastAddress.url;
}

function nameOf(modelId: string): string {
  return modelId.slice(modelId.indexOf(':') + 1);
}

/** Matches one way that vendors report a failure. `said` is tested against the error's codes and message. */
interface FailureRow {
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
const FAILURE_TABLE: readonly FailureRow[] = [
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

/** Inside a stream, where no status says it: Anthropic (overloaded_error), OpenAI (server_is_overloaded, slow_down), Gemini. */
const OVERLOADED = /overload|slow_down|unavailable/i;

/** An account without credit. Vendors report this with 400, 402, or 429. */
const NO_CREDIT = /insufficient[ _](quota|balance|credit)|credit balance is too low|exceeded your current quota/i;

/** What no wait cures: an account that cannot pay, a limit that lasts a day or longer, and a request larger than the whole limit. */
const HOPELESS = new RegExp(
  `${NO_CREDIT.source}|billing[ _](?:not|hard|error|issue)|request too large|usage[ _]limit|spend(ing)?[ _]limit|per[ _-]?(day|month)|daily|monthly`,
  'i',
);

/** Network errors by code. Each text completes a sentence that begins with the address. */
const NETWORK_ERRORS: ReadonlyMap<string, string> = new Map([
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
