import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

export interface SessionServer {
  url: string;
  /** How many sessions were opened, and how often its tool was called. */
  counts: { opened: number; calls: number };
  /** Forgets all sessions opened so far; with `always`, future ones too. */
  forget: (always?: boolean) => void;
}

/** How a server refuses a session that it does not know: as the protocol says. */
const NOT_FOUND = { status: 404, message: 'Session not found' };

/** An HTTP MCP server that keeps a session per client, as the protocol permits. */
export async function withSessionServer(
  use: (server: SessionServer) => Promise<void>,
  { status, message } = NOT_FOUND,
): Promise<void> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const counts = { opened: 0, calls: 0 };
  let forgetsAll = false;
  const opened = async () => {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        counts.opened++;
        if (!forgetsAll) sessions.set(id, transport);
      },
    });
    const server = new McpServer({ name: 'sessions', version: '1.0.0' });
    server.registerTool('count', { description: 'Counts.' }, () => ({
      content: [{ type: 'text', text: `Call ${++counts.calls}` }],
    }));
    await server.connect(transport);
    return transport;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : await opened();
    if (known) await known.handleRequest(request, response, body === '' ? undefined : JSON.parse(body));
    else
      response.writeHead(status).end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  try {
    await use({
      url: `http://127.0.0.1:${port ?? 0}/mcp`,
      counts,
      forget(always = false) {
        sessions.clear();
        forgetsAll = always;
      },
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
