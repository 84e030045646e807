import { errorText } from '../../../base/errors';
import { safeLine } from '../../../base/shown/safeText';
import { EngineError, type Fetch, type RemoteLaunch, type SignInStore } from '../../../engine';
import type * as mcpLibrary from '../mcpLibrary';
import { guardedFetch } from './guardedFetch';
import { type KeptSignIn, type KeptTokens, keptTokens, readSignIn, signInName, writeSignIn } from './keptSignIn';

type Library = typeof mcpLibrary;

interface TokenParts {
  launch: RemoteLaunch;
  store: SignInStore;
  fetch: Fetch;
  library: Library;
}

/**
 * The tokens of one server. Only one window or process renews them at a time, because most servers treat a second use of a
 * refresh token as theft: the process that gets the lock first reads the stored tokens again.
 */
export class ServerTokens {
  constructor(private readonly parts: TokenParts) {}

  /** Returns the access token; undefined if the user is not signed in. Rejects as the store does, and with EngineError `io`. */
  async current(signal: AbortSignal): Promise<string | undefined> {
    const tokens = (await this.kept())?.tokens;
    const isOver = tokens?.renewAt !== undefined && tokens.renewAt <= Date.now();
    return isOver && tokens.refresh !== undefined ? this.renewed(tokens.access, signal) : tokens?.access;
  }

  /**
   * Returns a different token than the refused one; undefined if the user has to sign in. Rejects with EngineError `io` if the
   * authorization server does not respond; the sign-in is kept in that case.
   */
  renewed(refused: string, signal: AbortSignal): Promise<string | undefined> {
    const { store, launch } = this.parts;
    return store.exclusively(signInName(launch), async () => {
      const kept = await this.kept();
      const tokens = kept?.tokens;
      if (!tokens || tokens.access !== refused) return tokens?.access;
      const renewed = tokens.refresh === undefined ? undefined : await this.ask(kept, tokens.refresh, signal);
      await writeSignIn(store, launch, { ...kept, tokens: renewed });
      return renewed?.access;
    });
  }

  private kept(): Promise<KeptSignIn | undefined> {
    return readSignIn(this.parts.store, this.parts.launch);
  }

  /** Renews the tokens; undefined if the server refuses. */
  private async ask(kept: KeptSignIn, refreshToken: string, signal: AbortSignal): Promise<KeptTokens | undefined> {
    const { launch, fetch, library } = this.parts;
    const fetchFn = guardedFetch(fetch, new URL(launch.url), signal);
    try {
      const metadata = await library.discoverAuthorizationServerMetadata(kept.authorizationServer, { fetchFn });
      if ((metadata?.issuer ?? kept.authorizationServer) !== kept.issuer) return undefined;
      const answer = await library.refreshAuthorization(kept.authorizationServer, {
        ...(metadata && { metadata }),
        clientInformation: kept.client,
        refreshToken,
        ...(kept.resource !== undefined && { resource: new URL(kept.resource) }),
        fetchFn,
      });
      return keptTokens(answer, Date.now());
    } catch (error) {
      if (isRefusal(error, library)) return undefined;
      const where = new URL(kept.authorizationServer).host;
      throw new EngineError('io', `The sign-in could not be renewed by ${where}: ${errorText(error)}`, {
        cause: error,
      });
    }
  }
}

function isRefusal(error: unknown, { OAuthError, OAuthErrorCode }: Library): boolean {
  const refusals: readonly string[] = [
    OAuthErrorCode.InvalidGrant,
    OAuthErrorCode.InvalidClient,
    OAuthErrorCode.UnauthorizedClient,
  ];
  return error instanceof OAuthError && refusals.includes(error.code);
}

/** What a server said about the required sign-in when it refused a request. */
export interface WantedRights {
  scope?: string | undefined;
  /** What a call needs besides what the user allowed. Servers need not repeat the latter. */
  more?: string | undefined;
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
  wanted.more = scope;
  const rights = scope === undefined ? '' : ` (${safeLine(scope, 200)})`;
  void response.body?.cancel();
  throw new EngineError('denied', `It requires you to sign in again and allow more${rights}.`);
}
