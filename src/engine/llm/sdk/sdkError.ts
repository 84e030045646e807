import { errorText } from '../../../base/errors';
import * as z from '../../../base/zod';

/** The relevant parts of what an SDK threw. */
export interface SdkError {
  /** The response's status, including that of a proxy that refused the connection to the vendor. */
  status?: number;
  /** The message from the vendor or the library. */
  text: string;
  /** The vendor's types and codes, then those of underlying system errors. */
  codes: readonly string[];
  /** True if the vendor responded with an error of its own, including inside a stream. */
  fromVendor: boolean;
  isWebPage: boolean;
  /** The message of Cairn's own `fetch` when the vendor cannot be reached because of a proxy or a redirect. */
  ownSentence?: string;
}

const text = z.catch(z.optional(z.string()), undefined);
const thrownSchema = z.lazy(() =>
  z.object({
    /** On a ProxyError or RedirectError. */
    sentence: text,
    status: z.catch(z.optional(z.number()), undefined),
    code: text,
    message: text,
    error: z.optional(z.unknown()),
    cause: z.optional(z.unknown()),
  }),
);
/** OpenAI's SDK exposes the inner error, Anthropic's the whole body. */
const bodySchema = z.lazy(() =>
  z.object({
    message: text,
    type: text,
    code: z.catch(z.nullish(z.union([z.string(), z.number()])), undefined),
    error: z.optional(z.unknown()),
  }),
);

/** Reads any thrown value. Never throws. */
export function sdkError(thrown: unknown): SdkError {
  const parsed = thrownSchema.safeParse(thrown);
  const proxy = proxyAnswer(thrown, 0);
  const { status = proxy?.status, error } = parsed.success ? parsed.data : {};
  const vendor = vendorError(error, 0);
  const message = errorText(thrown);
  return {
    ...(status !== undefined && { status }),
    text: vendor?.message ?? (typeof error === 'string' ? error : message),
    codes: [...(vendor?.codes ?? []), ...systemCodes(thrown, 0)],
    fromVendor: (parsed.success && parsed.data.status !== undefined) || (error !== undefined && error !== null),
    ...(proxy?.sentence !== undefined && { ownSentence: proxy.sentence }),
    isWebPage: /^\s*(\d{3}\s+)?<(!doctype|html|head|body)/i.test(message),
  };
}

/** Node's `fetch` reports a proxy's answer to CONNECT only in its message; Cairn's throws an error with its own `sentence`. */
function proxyAnswer(thrown: unknown, depth: number): { status?: number; sentence?: string } | undefined {
  const parsed = thrownSchema.safeParse(thrown);
  if (!parsed.success || depth > 5) return undefined;
  const { message = '', cause, sentence, status } = parsed.data;
  if (sentence !== undefined) return { sentence, ...(status !== undefined && { status }) };
  const said = /^Proxy response \((\d{3})\)/.exec(message)?.[1];
  return said === undefined ? proxyAnswer(cause, depth + 1) : { status: Number(said) };
}

function vendorError(body: unknown, depth: number): { message: string | undefined; codes: string[] } | undefined {
  const parsed = bodySchema.safeParse(body);
  if (!parsed.success || depth > 5) return undefined;
  const inner = vendorError(parsed.data.error, depth + 1);
  const { type, code, message } = parsed.data;
  const own = [type, code].flatMap((value) => (value === undefined || value === null ? [] : [String(value)]));
  return { message: inner?.message ?? message, codes: [...own, ...(inner?.codes ?? [])] };
}

function systemCodes(thrown: unknown, depth: number): string[] {
  const parsed = thrownSchema.safeParse(thrown);
  if (!parsed.success || depth > 5) return [];
  const { code, cause } = parsed.data;
  return [...(code === undefined ? [] : [code]), ...systemCodes(cause, depth + 1)];
}

/** Thrown when a response is not a model's but a web page, or another kind of data. `message` names what was received. */
export class UnexpectedResponse extends Error {
  constructor(
    what: string,
    readonly status?: number,
  ) {
    super(what);
    this.name = 'UnexpectedResponse';
  }
}

/** An error that a vendor reports inside a stream, where the SDK passes it on as data. `sdkError` reads it. */
export class VendorError extends Error {
  constructor(readonly error: { message: string; code: string | undefined }) {
    super(error.message);
    this.name = 'VendorError';
  }
}

/** Thrown when a stream has been silent for too long. */
export class StalledStream extends Error {
  constructor(readonly seconds: number) {
    super(`Nothing arrived for ${seconds} seconds.`);
    this.name = 'StalledStream';
  }
}

/** Throws UnexpectedResponse for a web page sent with a success status by a proxy, a sign-in page, or a wrong address. */
export function refuseWebPage(response: Response): void {
  if (response.headers.get('content-type')?.includes('text/html')) {
    throw new UnexpectedResponse('a web page', response.status);
  }
}
