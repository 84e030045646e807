import { EngineError, type Fetch } from '../../../engine';
import { safeLine } from '../../../base/shown/safeText';
import type { ServerTokens } from './serverTokens';

/** What a server said, when it refused a request, of the sign-in that it needs. */
export interface WantedRights {
  scope?: string | undefined;
  /** Where it tells who signs people in. */
  metadata?: URL | undefined;
}

/** Reads what a refusal says. */
type ReadChallenge = (response: Response) => { scope?: string; resourceMetadataUrl?: URL };

/**
 * A server's requests with the person's token, which is renewed when the server refuses it; a request is repeated once. Rejects
 * with EngineError `denied` when the person has to sign in.
 */
export function signedInFetch(
  fetch: Fetch,
  server: URL,
  tokens: ServerTokens,
  wanted: WantedRights,
  readChallenge: ReadChallenge,
): Fetch {
  return async (input, init = {}) => {
    const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
    // A token belongs to the server that it is for.
    if (url.origin !== server.origin) return fetch(input, init);
    const signal = init.signal ?? new AbortController().signal;
    const send = (token: string | undefined) => fetch(input, token === undefined ? init : withToken(init, token));
    const token = await tokens.current(signal);
    const response = await send(token);
    if (response.status === 403) return enough(response, wanted);
    if (response.status !== 401) return response;
    const { scope, resourceMetadataUrl } = readChallenge(response);
    // Some greet everyone, so that signing in, which begins with a greeting, would not hear of it.
    wanted.scope ??= scope;
    wanted.metadata = resourceMetadataUrl ?? wanted.metadata;
    await response.body?.cancel();
    const renewed = token === undefined ? undefined : await tokens.renewed(token, signal);
    if (renewed === undefined) throw signInNeeded();
    const again = await send(renewed);
    if (again.status !== 401) return again;
    await again.body?.cancel();
    throw signInNeeded();
  };
}

function signInNeeded(): EngineError {
  return new EngineError('denied', 'It requires you to sign in.');
}

function withToken(init: RequestInit, token: string): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

function enough(response: Response, wanted: WantedRights): Response {
  const challenge = response.headers.get('www-authenticate') ?? '';
  if (!/error="?insufficient_scope/i.test(challenge)) return response;
  const scope = /\bscope="([^"]*)"/i.exec(challenge)?.[1];
  wanted.scope = scope;
  const rights = scope === undefined ? '' : ` (${safeLine(scope, 200)})`;
  void response.body?.cancel();
  throw new EngineError('denied', `It requires you to sign in again and allow more${rights}.`);
}
