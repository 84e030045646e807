import { randomBytes } from 'node:crypto';
import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import { EngineError, type RemoteLaunch } from '../../../engine';
import { type KeptSignIn, keptTokens } from './keptSignIn';

type Discovery = Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0];
type Tokens = Parameters<OAuthClientProvider['saveTokens']>[0];
type Client = NonNullable<Awaited<ReturnType<OAuthClientProvider['clientInformation']>>>;

/** One sign-in, as the provider interface that the official SDK expects. */
export class SignInAttempt implements OAuthClientProvider {
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

  /** Returns what to store after the sign-in. Throws EngineError `io` if there are no tokens. */
  result(): KeptSignIn {
    const { client, discovery, tokensGiven } = this;
    if (!client || !discovery || !tokensGiven) throw new EngineError('io', 'The sign-in was not completed. Try again.');
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
