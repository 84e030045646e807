import { untilAborted } from '../../../base/abort';
import { errorText } from '../../../base/errors';
import type { Clock, Fetch } from '../../ports';

interface ServerQuestion {
  url: string;
  /** Sent if not empty. */
  key: string;
  /** Sent as JSON in a POST. Without it the request is a GET. */
  body?: unknown;
  timeoutMs: number;
  /** Default: the process's `fetch`. */
  fetch?: Fetch | undefined;
  /** Called with a short clause that says why there is no answer. */
  onProblem?: (why: string) => void;
}

/** Returns a server's JSON answer, or undefined if it does not answer in time, with a success status, and with JSON. */
export async function askServer(question: ServerQuestion, signal: AbortSignal): Promise<unknown> {
  const { url, key, body, timeoutMs, fetch = processFetch, onProblem } = question;
  const time = AbortSignal.timeout(timeoutMs);
  try {
    const limit = AbortSignal.any([signal, time]);
    const response = await fetch(url, {
      signal: limit,
      headers: {
        ...(key !== '' && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (response.ok) return await untilAborted<unknown>(response.json(), limit);
    await response.body?.cancel();
    onProblem?.(`${url} answered ${response.status}`);
  } catch (error) {
    if (time.aborted) onProblem?.(`${url} did not answer within ${timeoutMs / 1000} s`);
    else if (!signal.aborted) onProblem?.(`${url} sent an unreadable answer (${reasonOf(error)})`);
  }
  return undefined;
}

/** `fetch` only reports that it failed; the reason is in the cause. */
function reasonOf(error: unknown): string {
  return errorText(error instanceof Error && error.cause !== undefined ? error.cause : error);
}

/** Caches answers for a fixed time. Concurrent callers share one request. */
export class KeptAnswers<Value> {
  private readonly known = new Map<string, { at: number; answer: Promise<Value> }>();

  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly keepMs: number,
  ) {}

  get(name: string, ask: () => Promise<Value>): Promise<Value> {
    const now = this.clock.now();
    const found = this.known.get(name);
    if (found && now - found.at < this.keepMs) return found.answer;
    const answer = ask();
    this.known.set(name, { at: now, answer });
    return answer;
  }
}

/** Returns the message for a provider that should have listed its models and did not. */
export function noModels(label: string, why: string): string {
  return `${label} did not list its models: ${why}. Check its address and key.`;
}

/** This process's `fetch`, looked up on each call: the editor replaces it with one that knows its proxies. */
export const processFetch: Fetch = (input, init) => fetch(input, init);
