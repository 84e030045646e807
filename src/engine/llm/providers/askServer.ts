import { untilAborted } from '../../../base/abort';
import type { Fetch } from '../../ports';
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
}

/** What a server answers as JSON; undefined when it does not answer in time, or not with JSON and a good status. */
export async function askServer(question: ServerQuestion, signal: AbortSignal): Promise<unknown> {
  const { url, key, body, timeoutMs, fetch = processFetch } = question;
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const response = await fetch(url, {
      signal: limit,
      headers: {
        ...(key !== '' && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    return response.ok ? await untilAborted<unknown>(response.json(), limit) : undefined;
  } catch {
    // Nobody there, something else there, or no key for it: there is nothing to list, and nothing to report.
    return undefined;
  }
}
