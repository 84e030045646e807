import { EngineError, type Fetch } from '../../../engine';
import { safeLine } from '../../../base/shown/safeText';
import type { ServerTokens } from './serverTokens';

/** What a server said about the required sign-in when it refused a request. */
export interface WantedRights {
  scope?: string | undefined;
  /** Where its sign-in metadata is. */
  metadata?: URL | undefined;
}

/** Parses a refusal. */
type ReadChallenge = (response: Response) => { scope?: string; resourceMetadataUrl?: URL };

/**
 * Sends a server's requests with the user's token. If the server refuses it, renews it and repeats the request once. Rejects with
 * EngineError `denied` if the user has to sign in.
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
    // Send the token only to the server it was issued for.
    if (url.origin !== server.origin) return fetch(input, init);
    const signal = init.signal ?? new AbortController().signal;
    const send = (token: string | undefined) => fetch(input, token === undefined ? init : withToken(init, token));
    const token = await tokens.current(signal);
    const response = await send(token);
    if (response.status === 403) return enough(response, wanted);
    if (response.status !== 401) return response;
    const { scope, resourceMetadataUrl } = readChallenge(response);
    // Some servers accept the first message from everyone, so signing in, which starts with that message, would not learn this.
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
