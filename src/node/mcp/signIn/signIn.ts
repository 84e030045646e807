import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { randomBytes } from 'node:crypto';
import { throwIfAborted } from '../../../base/abort';
import { safeLine } from '../../../base/shown/safeText';
import { EngineError, type Fetch, type RemoteLaunch, type SignInPage, type SignInStore } from '../../../engine';
import type * as mcpLibrary from '../mcpLibrary';
import { guardedFetch, isLoopback, mustBeSafe } from './guardedFetch';
import { type KeptSignIn, keptTokens, readSignIn, signInName, writeSignIn } from './keptSignIn';
import { AwaitedReturn, type EditorAddress, LoopbackAddress, type ReturnAddress } from './returnAddress';
import type { WantedRights } from './serverTokens';

interface SignInParts {
  launch: RemoteLaunch;
  store: SignInStore;
  fetch: Fetch;
  library: typeof mcpLibrary;
  page: SignInPage;
  editorAddress?: EditorAddress | undefined;
  /** What the server said about it when it refused a call. */
  wanted: WantedRights;
  signal: AbortSignal;
}

/**
 * Signs the user in to a server in their browser and stores the tokens. Rejects with EngineError `denied` if the user or the
 * server refused or it would be unsafe, `io` if something did not respond, and with AbortError.
 */
export async function signIn(parts: SignInParts): Promise<void> {
  const { launch, store, library, editorAddress } = parts;
  const server = new URL(launch.url);
  mustBeSafe(server, server);
  const kept = await readSignIn(store, launch).catch(() => undefined);
  const preferred = await returnAddress(launch, kept, editorAddress);
  try {
    await signInFrom(preferred, kept, parts);
  } catch (error) {
    if (!(error instanceof library.RegistrationRejectedError)) throw error;
    const refusal = `${server.host} does not let Cairn register for signing in (HTTP ${error.status}): ${safeLine(error.body, 300)}`;
    if (!editorAddress || preferred instanceof LoopbackAddress) throw new EngineError('denied', refusal);
    // Many authorization servers accept only web and loopback addresses.
    editorAddress.onRefused(`${refusal} A loopback address is used instead of ${preferred.url}.`);
    await signInFrom(await LoopbackAddress.open(portOf(kept)), kept, parts);
  }
}

/** Signs in using `address` and closes it. Rejects as `signIn` does, and with the SDK's RegistrationRejectedError. */
async function signInFrom(
  address: ReturnAddress,
  kept: KeptSignIn | undefined,
  { launch, store, fetch, library, page, wanted, signal }: SignInParts,
): Promise<void> {
  const server = new URL(launch.url);
  try {
    const fetchFn = guardedFetch(fetch, server, signal);
    const attempt = new SignInAttempt(launch, address.url, kept);
    const asked = await challengeOf(server, fetchFn, library);
    const usual = launch.oauth?.scope ?? wanted.scope ?? asked.scope;
    const scope = wanted.more === undefined ? usual : together(kept?.scope ?? usual, wanted.more);
    const resourceMetadataUrl = asked.resourceMetadataUrl ?? wanted.metadata;
    const how = { serverUrl: launch.url, fetchFn, ...(scope !== undefined && { scope }) };
    await library.auth(attempt, { ...how, ...(resourceMetadataUrl && { resourceMetadataUrl }) });
    if (!attempt.address) throw new EngineError('io', `${server.host} does not say where to sign in.`);
    mustBeSafe(attempt.address, server);
    throwIfAborted(signal);
    const awaited = new AwaitedReturn(address, attempt.state(), attempt.issuer);
    const { code, iss } = await sentBack(awaited, page, attempt.address, signal);
    await library.auth(attempt, { ...how, authorizationCode: code, ...(iss !== undefined && { iss }) });
    await store.exclusively(signInName(launch), () => writeSignIn(store, launch, attempt.result(scope)));
  } finally {
    await address.close();
  }
}

/** Returns all scopes of two lists. */
function together(one = '', other = ''): string {
  return [...new Set(`${one} ${other}`.split(' '))].filter((scope) => scope !== '').join(' ');
}

async function sentBack(awaited: AwaitedReturn, page: SignInPage, address: URL, signal: AbortSignal) {
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  try {
    const showing = page.show(address, until);
    // If the user declines to open the page, that ends the sign-in.
    const declined = new Promise<never>((_, reject) => void showing.catch(reject));
    return await Promise.race([awaited.wait(until, showing), declined]);
  } finally {
    over.abort();
  }
}

/**
 * Returns the redirect address. A preregistered client uses the registered one. All others use a loopback address, since nearly
 * every authorization server accepts it and many reject an editor's; but if the browser runs on a different machine than this
 * process, the editor's address is used, because the browser would look for the port on its own machine.
 */
async function returnAddress(
  { url, oauth }: RemoteLaunch,
  kept: KeptSignIn | undefined,
  editorAddress: EditorAddress | undefined,
): Promise<ReturnAddress> {
  const registered = oauth?.redirectUri;
  if (registered !== undefined) {
    const isHere =
      URL.canParse(registered) && new URL(registered).protocol === 'http:' && isLoopback(new URL(registered));
    const address = isHere ? await LoopbackAddress.at(registered) : await editorAddress?.open(registered);
    if (address) return address;
    const where = safeLine(registered, 200);
    const remedy = 'Register one such as http://127.0.0.1:8912/signed-in, and write it as its redirectUri.';
    throw new EngineError(
      'invalid-input',
      `The client of ${new URL(url).host} is sent back to ${where}, which does not lead back to Cairn. ${remedy}`,
    );
  }
  const isAnybody = !oauth || (oauth.clientId ?? oauth.callbackPort ?? oauth.clientMetadataUrl) === undefined;
  const address = isAnybody ? await editorAddress?.open() : undefined;
  return address ?? LoopbackAddress.open(oauth?.callbackPort ?? portOf(kept));
}

/** Returns the port the client was last registered with. */
function portOf(kept: KeptSignIn | undefined): number | undefined {
  return kept && LoopbackAddress.portOf(kept.redirectUrl);
}

/** Reads what the server says to a request without a sign-in; the protocol's first message is enough for that. */
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

type Discovery = Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0];
type Tokens = Parameters<OAuthClientProvider['saveTokens']>[0];
type Client = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>;

/** One sign-in, as the provider interface that the official SDK expects. */
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
    // Clients from a file have no issuer, and the SDK would log that to the console.
    return this.client && about && !('issuer' in this.client) ? { ...this.client, ...about } : this.client;
  }

  saveClientInformation(client: Client): void {
    this.client = client;
  }

  /** A new sign-in never uses old tokens. */
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
    const { clientMetadataUrl } = this.launch.oauth ?? {};
    const isRead = discovery.authorizationServerMetadata?.client_id_metadata_document_supported === true;
    if (clientMetadataUrl !== undefined && isRead) this.client = { client_id: clientMetadataUrl };
  }

  discoveryState(): Discovery | undefined {
    return this.discovery;
  }

  saveResourceUrl(resource: string): void {
    this.resource = resource;
  }

  /** The authorization server's name for itself; undefined if it does not state one. */
  get issuer(): string | undefined {
    return this.discovery?.authorizationServerMetadata?.issuer;
  }

  /** Returns what to store after the sign-in; `asked` are the requested scopes. Throws EngineError `io` if there are no tokens. */
  result(asked: string | undefined): KeptSignIn {
    const { client, discovery, tokensGiven } = this;
    if (!client || !discovery || !tokensGiven) throw new EngineError('io', 'The sign-in was not completed. Try again.');
    const { client_id, client_secret } = client;
    const method = 'token_endpoint_auth_method' in client ? client.token_endpoint_auth_method : undefined;
    const scope = tokensGiven.scope ?? asked;
    return {
      url: this.launch.url,
      ...(scope !== undefined && { scope }),
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
