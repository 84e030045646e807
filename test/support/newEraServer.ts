import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { freePort } from './everythingServer';

const message = z.looseObject({
  id: z.optional(z.union([z.number(), z.string()])),
  method: z._default(z.string(), ''),
});

/** What a server of the newer protocol declares about its list of tools. */
interface Says {
  ttlMs?: number;
  /** Speaks only the older protocol. */
  isOld?: boolean;
}

/** An HTTP MCP server that speaks the newer protocol or the older one, and records what was requested. */
export class NewEraServer {
  readonly asked: string[] = [];
  says: Says = {};
  tools = ['height'];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<NewEraServer> {
    const port = await freePort();
    const server = createServer();
    const made = new NewEraServer(server, `http://127.0.0.1:${port}/mcp`);
    server.on('request', (request, response) => {
      void made.answer(request).then((answer) => {
        response.writeHead(answer === undefined ? 202 : 200, { 'content-type': 'application/json' });
        response.end(answer === undefined ? '' : JSON.stringify(answer));
      });
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return made;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async answer(request: IncomingMessage): Promise<object | undefined> {
    const { id, method } = message.parse(
      request.method === 'POST' ? JSON.parse(await text(request)) : { id: 0, method: 'GET' },
    );
    this.asked.push(method);
    if (id === undefined) return undefined;
    const result = this.resultOf(method);
    const base = { jsonrpc: '2.0', id };
    return result ? { ...base, result } : { ...base, error: { code: -32601, message: `Unknown: ${method}` } };
  }

  private resultOf(method: string): object | undefined {
    const { isOld = false, ttlMs } = this.says;
    const capabilities = { tools: {} };
    const serverInfo = { name: 'tides', version: '1' };
    const ofEra = isOld ? {} : { resultType: 'complete', ttlMs: ttlMs ?? 3_600_000, cacheScope: 'private' };
    if (method === 'server/discover' && !isOld)
      return { ...ofEra, supportedVersions: ['2026-07-28'], capabilities, serverInfo };
    if (method === 'initialize' && isOld) return { protocolVersion: '2025-11-25', capabilities, serverInfo };
    if (method === 'tools/list')
      return { ...ofEra, tools: this.tools.map((name) => ({ name, inputSchema: { type: 'object' } })) };
    if (method === 'tools/call') return { ...ofEra, content: [{ type: 'text', text: 'High.' }] };
    return undefined;
  }
}
