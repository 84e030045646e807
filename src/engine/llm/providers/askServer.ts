import { untilAborted } from '../../../base/abort';
import { errorText } from '../../../base/errorText';
import type { Clock, Fetch } from '../../ports';
import { processFetch } from '../processFetch';

export interface ServerQuestion {
  url: string;
  /** Sent when it is not empty. */
  key: string;
  /** Sent as JSON with POST; without it the question is a GET. */
  body?: unknown;
  timeoutMs: number;
  /** Default: that of the process. */
  fetch?: Fetch | undefined;
  /** Told in half a sentence why there is no answer. */
  onProblem?: (why: string) => void;
}

/** What a server answers as JSON; undefined when it does not answer in time, or not with JSON and a good status. */
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

/** `fetch` says no more than that it failed, and why in the cause. */
function reasonOf(error: unknown): string {
  return errorText(error instanceof Error && error.cause !== undefined ? error.cause : error);
}

/** Answers that are asked for again only after a while; those who ask at the same time share one. */
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

/** What is said of a provider that should have listed its models and did not. */
export function noModels(label: string, why: string): string {
  return `${label} did not list its models: ${why}. Check its address and key.`;
}
