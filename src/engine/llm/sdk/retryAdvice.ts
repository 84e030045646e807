/** What a refusal says about another try. */
interface RetryAdvice {
  /** Whether one may help. */
  again?: boolean;
  /** When one may help, from now. Positive; Infinity if it is more than a number can say. */
  waitMs?: number;
}

const adviceByHeaders = new WeakMap<object, RetryAdvice>();

/** Keeps what the headers of a refusal say. The SDKs pass the headers on in what they throw, as an object of any `fetch`. */
export function noteRetryAdvice(headers: Headers): void {
  const said = headers.get('x-should-retry');
  const waitMs = waitOf(headers);
  adviceByHeaders.set(headers, {
    ...((said === 'true' || said === 'false') && { again: said === 'true' }),
    ...(waitMs !== undefined && { waitMs }),
  });
}

/** Returns what was noted about the refusal behind what an SDK threw, or else what the vendor's `text` says. */
export function retryAdvice(thrown: unknown, text: string): RetryAdvice {
  const noted = hasHeaders(thrown) ? adviceByHeaders.get(thrown.headers) : undefined;
  const waitMs = noted?.waitMs ?? waitInText(text);
  return { ...noted, ...(waitMs !== undefined && { waitMs }) };
}

function hasHeaders(thrown: unknown): thrown is { headers: object } {
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'headers' in thrown &&
    typeof thrown.headers === 'object' &&
    thrown.headers !== null
  );
}

function waitOf(headers: Headers): number | undefined {
  const ms = numberIn(headers.get('retry-after-ms'));
  if (ms !== undefined && ms > 0) return ms;
  const header = headers.get('retry-after');
  const seconds = numberIn(header);
  const wait = seconds === undefined ? untilDate(header, headers.get('date')) : seconds * 1000;
  // Zero and the past say nothing about when the next try may help.
  return wait > 0 ? wait : undefined;
}

/** A header that was sent twice arrives as a list. */
function numberIn(header: string | null): number | undefined {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(?:,|$)/.exec(header ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}

/** Counts from the server's own time where it is given, since this machine's may be wrong. NaN if there is no date. */
function untilDate(header: string | null, now: string | null): number {
  const sent = dateIn(now);
  return dateIn(header) - (Number.isNaN(sent) ? Date.now() : sent);
}

/** Only HTTP's own form: `Date.parse` reads a date into almost anything. */
function dateIn(header: string | null): number {
  const text = header ?? '';
  return /^\s*[A-Za-z]{3,9},? .*GMT\s*$/.test(text) ? Date.parse(text) : NaN;
}

/** As in "Please try again in 6m0s." (OpenAI) and "Please retry in 34.07s." (Gemini), where no header says it. */
const IN_TEXT =
  /(?:try again|retry) (?:in|after) (?:(\d{1,9})h)?(?:(\d{1,9})m(?!s))?(?:(\d{1,9}(?:\.\d{1,20})?) ?(ms|s|seconds?)\b)?/i;

function waitInText(text: string): number | undefined {
  const [, hours = 0, minutes = 0, rest = 0, unit] = IN_TEXT.exec(text) ?? [];
  const wait = Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(rest) * (unit === 'ms' ? 1 : 1000);
  return wait > 0 ? wait : undefined;
}
