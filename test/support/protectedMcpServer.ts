import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

/** How the server deviates from its usual behavior. */
export interface ProtectedServerFaults {
  /** Replaces the metadata. */
  metadata?: (usual: Record<string, unknown>) => unknown;
  /** Refuses every sign-in. */
  refuses?: boolean;
  /** Answers everyone's first messages. Names its authorization server only when refusing, at a non-standard address. */
  greets?: boolean;
  /** Registers only clients whose redirect URI is an `http:` address. */
  wantsWeb?: boolean;
  /** The issuer named in the redirect after a sign-in. */
  answersAs?: string;
  /** The rights named when refusing a request. */
  wants?: string;
  /** Refuses every token; with `insufficient_scope`, because it allows too little. */
  refusesTokens?: 'invalid_token' | 'insufficient_scope';
}

interface Grant {
  family: string;
  challenge?: string;
}

/**
 * A real MCP server that requires users to sign in, with its authorization server: clients register, PKCE is checked, and a
 * refresh token can be used once. A second use revokes the whole sign-in, as RFC 9700 requires.
 */
export class ProtectedMcpServer {
  faults: ProtectedServerFaults = {};
  /** How often tokens were refreshed, and how often an already used refresh token was tried. */
  renewals = 0;
  reuses = 0;
  readonly registered: unknown[] = [];
  /** The requested scopes, one entry per sign-in. */
  readonly scopes: (string | null)[] = [];
  private readonly codes = new Map<string, Grant>();
  private readonly refreshTokens = new Map<string, Grant & { used: boolean }>();
  private readonly accessTokens = new Map<string, string>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => void this.answer(request, response));
  }

  static async start(): Promise<ProtectedMcpServer> {
    const one = new ProtectedMcpServer();
    one.server.listen(0, '127.0.0.1');
    await once(one.server, 'listening');
    return one;
  }

  get origin(): string {
    const address = this.server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** Invalidates all access tokens. Each can be refreshed. */
  expireTokens(): void {
    this.accessTokens.clear();
  }

  /** Also prevents refreshing. */
  forgetSignIns(): void {
    this.expireTokens();
    this.refreshTokens.clear();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const url = new URL(request.url ?? '/', this.origin);
    const body = await text(request);
    const json = (status: number, value: unknown): unknown =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    const told = this.faults.greets ? '/who-signs-in' : '/.well-known/oauth-protected-resource/mcp';
    if (url.pathname === told) {
      return json(200, { resource: this.url, authorization_servers: [this.origin], scopes_supported: ['tools'] });
    }
    if (url.pathname === '/.well-known/oauth-authorization-server') return json(200, this.metadata());
    if (url.pathname === '/register') {
      const client = this.register(body);
      return client === undefined ? json(400, { error: 'invalid_redirect_uri' }) : json(201, client);
    }
    if (url.pathname === '/authorize') return this.authorize(url, response);
    if (url.pathname === '/token') return this.token(new URLSearchParams(body), json);
    if (url.pathname !== '/mcp') return json(404, {});
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const isGreeting = /"method":"(?:initialize|notifications\/)/.test(body);
    const { greets = false, wants = 'tools', refusesTokens } = this.faults;
    const isKnown = this.accessTokens.has(token) && refusesTokens === undefined;
    if (isKnown || (greets && isGreeting)) return this.speak(request, response, body);
    const isTooLittle = token !== '' && refusesTokens === 'insufficient_scope';
    const why = isTooLittle ? 'error="insufficient_scope", ' : '';
    const where = `resource_metadata="${this.origin}${told}"`;
    const challenge = `Bearer ${why}${where}, scope="${wants}"`;
    return response.writeHead(isTooLittle ? 403 : 401, { 'www-authenticate': challenge }).end();
  }

  private metadata(): unknown {
    const usual = {
      issuer: this.origin,
      authorization_endpoint: `${this.origin}/authorize`,
      token_endpoint: `${this.origin}/token`,
      registration_endpoint: `${this.origin}/register`,
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    };
    return this.faults.metadata?.(usual) ?? usual;
  }

  private register(body: string): unknown {
    const client: unknown = JSON.parse(body);
    if (this.faults.wantsWeb && !body.includes('"redirect_uris":["http:')) return undefined;
    this.registered.push(client);
    return { ...Object(client), client_id: randomUUID() };
  }

  private authorize({ searchParams: asked }: URL, response: ServerResponse): unknown {
    const back = new URL(asked.get('redirect_uri') ?? '');
    this.scopes.push(asked.get('scope'));
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set('iss', this.faults.answersAs ?? this.origin);
    if (this.faults.refuses) back.searchParams.set('error', 'access_denied');
    else {
      const code = randomUUID();
      this.codes.set(code, { family: randomUUID(), challenge: asked.get('code_challenge') ?? '' });
      back.searchParams.set('code', code);
    }
    return response.writeHead(302, { location: back.href }).end();
  }

  private token(asked: URLSearchParams, json: (status: number, value: unknown) => unknown): unknown {
    const grant = asked.get('grant_type') === 'refresh_token' ? this.renew(asked) : this.redeem(asked);
    if (!grant) return json(400, { error: 'invalid_grant' });
    const [access, refresh] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    this.accessTokens.set(access, grant.family);
    this.refreshTokens.set(refresh, { ...grant, used: false });
    return json(200, {
      access_token: access,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: refresh,
      scope: 'tools',
    });
  }

  private redeem(asked: URLSearchParams): Grant | undefined {
    const code = asked.get('code') ?? '';
    const grant = this.codes.get(code);
    this.codes.delete(code);
    const challenge = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    return grant?.challenge === challenge && asked.get('resource') === this.url ? grant : undefined;
  }

  private renew(asked: URLSearchParams): Grant | undefined {
    const grant = this.refreshTokens.get(asked.get('refresh_token') ?? '');
    if (grant && !grant.used && asked.get('resource') === this.url) {
      grant.used = true;
      this.renewals++;
      return grant;
    }
    this.reuses++;
    // The token may have been stolen, so everything from the same sign-in is revoked.
    for (const [token, family] of this.accessTokens) if (family === grant?.family) this.accessTokens.delete(token);
    for (const [token, { family }] of this.refreshTokens)
      if (family === grant?.family) this.refreshTokens.delete(token);
    return undefined;
  }

  private async speak(request: IncomingMessage, response: ServerResponse, body: string): Promise<void> {
    const server = new McpServer({ name: 'protected', version: '1.0.0' });
    server.registerTool('whoami', { description: 'Tells who is signed in' }, ({ requestInfo }) => {
      const header = requestInfo?.headers['authorization'];
      return { content: [{ type: 'text', text: `You are known by ${String(header)}.` }] };
    });
    const transport = new StreamableHTTPServerTransport({});
    response.on('close', () => void transport.close());
    await server.connect(transport);
    await transport.handleRequest(request, response, JSON.parse(body));
  }
}
