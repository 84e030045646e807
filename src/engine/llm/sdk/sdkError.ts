import { errorText } from '../../../base/errorText';
import * as z from '../../../base/zod';

/** What an SDK threw, as far as it matters. */
export interface SdkError {
  /** Of the answer, also when it is a proxy's that opened no way to the vendor. */
  status?: number;
  /** The vendor's or the library's sentence. */
  text: string;
  /** Types and codes that the vendor gave, then those of the system below it. */
  codes: readonly string[];
  /** True when a vendor answered with an error of its own, also inside a stream. */
  fromVendor: boolean;
  isWebPage: boolean;
  /** What our own fetch says of a way to the vendor that is not open: a proxy, a redirect. */
  ownSentence?: string;
}

const text = z.catch(z.optional(z.string()), undefined);
const thrownSchema = z.lazy(() =>
  z.object({
    /** Of a ProxyError or a RedirectError. */
    sentence: text,
    status: z.catch(z.optional(z.number()), undefined),
    code: text,
    message: text,
    error: z.optional(z.unknown()),
    cause: z.optional(z.unknown()),
  }),
);
/** OpenAI's SDK gives the inner error, Anthropic's the whole body. */
const bodySchema = z.lazy(() =>
  z.object({
    message: text,
    type: text,
    code: z.catch(z.nullish(z.union([z.string(), z.number()])), undefined),
    error: z.optional(z.unknown()),
  }),
);

/** Reads any thrown value; never throws. */
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

/** Node's own fetch tells in a sentence only what a proxy answered to the wish for a tunnel; ours throws an error with one of its own. */
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

/** What answered is no model: a web page, or data of another kind. `message` names what came. */
export class UnexpectedResponse extends Error {
  constructor(
    what: string,
    readonly status?: number,
  ) {
    super(what);
    this.name = 'UnexpectedResponse';
  }
}

/** An error that a vendor reports inside a stream, where the SDK passes it on as data; read by `sdkError`. */
export class VendorError extends Error {
  constructor(readonly error: { message: string; code: string | undefined }) {
    super(error.message);
    this.name = 'VendorError';
  }
}

/** A stream from which nothing came for so long that nothing is expected any more. */
export class StalledStream extends Error {
  constructor(readonly seconds: number) {
    super(`Nothing arrived for ${seconds} seconds.`);
    this.name = 'StalledStream';
  }
}

/** Throws UnexpectedResponse for a page that a proxy, a sign-in or a wrong address sent with a good status. */
export function refuseWebPage(response: Response): void {
  if (response.headers.get('content-type')?.includes('text/html')) {
    throw new UnexpectedResponse('a web page', response.status);
  }
}
