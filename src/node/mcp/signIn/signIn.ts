import { randomBytes } from 'node:crypto';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { throwIfAborted } from '../../../base/abort';
import { EngineError, type Fetch, type RemoteLaunch, type SignInPage, type SignInStore } from '../../../engine';
import type * as mcpLibrary from '../mcpLibrary';
import { guardedFetch, isLoopback, mustBeSafe } from './guardedFetch';
import { type KeptSignIn, keptTokens, readSignIn, signInName, writeSignIn } from './keptSignIn';
import type { WantedRights } from './signedInFetch';
import { SignInRedirect } from './signInRedirect';

type Discovery = Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0];
type Tokens = Parameters<OAuthClientProvider['saveTokens']>[0];
type Client = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>;

export interface SignInParts {
  launch: RemoteLaunch;
  store: SignInStore;
  fetch: Fetch;
  library: typeof mcpLibrary;
  page: SignInPage;
  /** What the server said of it in a call. */
  wanted: WantedRights;
  signal: AbortSignal;
}

/**
 * Has a person sign in to a server in their browser, and keeps the tokens. Rejects with EngineError: `denied` when the person or
 * the server refused or it would not be safe, `io` when something did not answer; and with AbortError.
 */
export async function signIn(parts: SignInParts): Promise<void> {
  const { launch, store, library, fetch, page, signal } = parts;
  const server = new URL(launch.url);
  mustBeSafe(server, server);
  const kept = await readSignIn(store, launch).catch(() => undefined);
  const redirect = await SignInRedirect.listen(launch.oauth?.callbackPort ?? portOf(kept));
  try {
    const fetchFn = guardedFetch(fetch, server, signal);
    const attempt = new SignInAttempt(launch, redirect.url, kept);
    const asked = await challengeOf(server, fetchFn, library);
    const scope = launch.oauth?.scope ?? parts.wanted.scope ?? asked.scope;
    const resourceMetadataUrl = asked.resourceMetadataUrl ?? parts.wanted.metadata;
    const how = { serverUrl: launch.url, fetchFn, ...(scope !== undefined && { scope }) };
    await library.auth(attempt, { ...how, ...(resourceMetadataUrl && { resourceMetadataUrl }) });
    const address = attempt.address;
    if (!address) throw new EngineError('io', `${server.host} does not say where to sign in.`);
    mustBeSafe(address, server);
    throwIfAborted(signal);
    const { code, iss } = await sentBack(redirect, attempt, page, address, signal);
    await library.auth(attempt, { ...how, authorizationCode: code, ...(iss !== undefined && { iss }) });
    await store.exclusively(signInName(launch), () => writeSignIn(store, launch, attempt.result()));
  } finally {
    await redirect.close();
  }
}

async function sentBack(
  redirect: SignInRedirect,
  attempt: SignInAttempt,
  page: SignInPage,
  address: URL,
  signal: AbortSignal,
) {
  const over = new AbortController();
  try {
    const showing = page.show(address, AbortSignal.any([signal, over.signal]));
    // Whoever does not want to go there ends it.
    const declined = new Promise<never>((_, reject) => void showing.catch(reject));
    return await Promise.race([redirect.sentBack(attempt.state(), signal, showing), declined]);
  } finally {
    over.abort();
  }
}

/** The port that the client was registered with last time. */
function portOf(kept: KeptSignIn | undefined): number | undefined {
  const url = kept && URL.canParse(kept.redirectUrl) ? new URL(kept.redirectUrl) : undefined;
  return url && isLoopback(url) ? Number(url.port) : undefined;
}

/** What the server says when nobody is signed in: the first message of the protocol needs no more than this. */
async function challengeOf(
  server: URL,
  fetchFn: ReturnType<typeof guardedFetch>,
  { extractWWWAuthenticateParams }: typeof mcpLibrary,
): Promise<Partial<ReturnType<typeof extractWWWAuthenticateParams>>> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'cairn', version: '1' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  try {
    const response = await fetchFn(server, { method: 'POST', headers, body });
    return response.status === 401 ? extractWWWAuthenticateParams(response) : {};
  } catch (error) {
    if (EngineError.is(error)) throw error;
    throw new EngineError('io', `${server.host} does not answer.`, { cause: error });
  }
}

/** One sign-in, as the library of the protocol's makers wants to have it told. */
class SignInAttempt implements OAuthClientProvider {
  address: URL | undefined;
  private readonly ownState = randomBytes(32).toString('base64url');
  private client: Client | undefined;
  private verifier = '';
  private discovery: Discovery | undefined;
  private tokensGiven: Tokens | undefined;
  private resource: string | undefined;

  constructor(
    private readonly launch: RemoteLaunch,
    readonly redirectUrl: string,
    kept: KeptSignIn | undefined,
  ) {
    const { clientId, clientSecret } = launch.oauth ?? {};
    if (clientId !== undefined) {
      this.client = { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
    } else if (kept && kept.redirectUrl === redirectUrl) {
      this.client = { ...kept.client, issuer: kept.issuer };
    }
  }

  get clientMetadata() {
    return {
      client_name: 'Cairn',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  state(): string {
    return this.ownState;
  }

  clientInformation(about?: { issuer: string }): Client | undefined {
    // A file names a client without its issuer, which the library would tell on the console.
    return this.client && about && !('issuer' in this.client) ? { ...this.client, ...about } : this.client;
  }

  saveClientInformation(client: Client): void {
    this.client = client;
  }

  /** Nobody signs in anew to go on with old tokens. */
  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: Tokens): void {
    this.tokensGiven = tokens;
  }

  redirectToAuthorization(address: URL): void {
    this.address = address;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }

  saveDiscoveryState(discovery: Discovery): void {
    this.discovery = discovery;
  }

  discoveryState(): Discovery | undefined {
    return this.discovery;
  }

  saveResourceUrl(resource: string): void {
    this.resource = resource;
  }

  /** What is to be kept once it is over. Throws EngineError `io` when there are no tokens. */
  result(): KeptSignIn {
    const { client, discovery, tokensGiven } = this;
    if (!client || !discovery || !tokensGiven) throw new EngineError('io', 'The sign-in came to no end. Try again.');
    const { client_id, client_secret } = client;
    const method = 'token_endpoint_auth_method' in client ? client.token_endpoint_auth_method : undefined;
    return {
      url: this.launch.url,
      issuer: discovery.authorizationServerMetadata?.issuer ?? discovery.authorizationServerUrl,
      authorizationServer: discovery.authorizationServerUrl,
      ...(this.resource !== undefined && { resource: this.resource }),
      client: {
        client_id,
        ...(client_secret !== undefined && { client_secret }),
        ...(typeof method === 'string' && { token_endpoint_auth_method: method }),
      },
      redirectUrl: this.redirectUrl,
      tokens: keptTokens(tokensGiven, Date.now()),
    };
  }
}
