import { EngineError, type Fetch, type RemoteLaunch, type SignInStore } from '../../../engine';
import { errorText } from '../../../base/errorText';
import type * as mcpLibrary from '../mcpLibrary';
import { guardedFetch } from './guardedFetch';
import { type KeptSignIn, type KeptTokens, keptTokens, readSignIn, signInName, writeSignIn } from './keptSignIn';

type Library = typeof mcpLibrary;

export interface TokenParts {
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
