import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { withOneMcpServer as withServer } from '../../support/oneMcpServer';

type Answer = (response: ServerResponse, body: string) => void;

const requestSchema = z.looseObject({ id: z.unknown().optional(), method: z.string() });
const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'odd', version: '1' },
  },
  'tools/list': {
    tools: [{ name: 'count', description: 'Counts.', inputSchema: { type: 'object', properties: {} } }],
    nextCursor: '',
  },
  'tools/call': { content: [{ type: 'text', text: 'One' }] },
};

/** An HTTP server without sessions that answers requests to listen, and accepted notifications, in its own way. */
async function withOddServer(
  { onGet, onNotification, send }: { onGet: Answer; onNotification: Answer; send: Answer },
  use: (url: string, listened: () => number) => Promise<void>,
): Promise<void> {
  let listened = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === 'GET') {
      listened++;
      onGet(response, '');
      return;
    }
    const { id, method } = requestSchema.parse(JSON.parse(await text(request)));
    if (id === undefined) onNotification(response, '');
    else {
      const result = RESULTS[method];
      const said = result ? { result } : { error: { code: -32_601, message: 'Method not found' } };
      send(response, JSON.stringify({ jsonrpc: '2.0', id, ...said }));
    }
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  try {
    await use(`http://127.0.0.1:${address.port}/mcp`, () => listened);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const refuse: Answer = (response) => void response.writeHead(405, { allow: 'POST' }).end();
const accept: Answer = (response) => void response.writeHead(202).end();
const json: Answer = (response, body) =>
  void response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body);
const page: Answer = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello</p>');

const USUAL = { onGet: refuse, onNotification: accept, send: json };
const QUIRKS: readonly [what: string, odd: Partial<typeof USUAL>][] = [
  ['refuses to be listened to, and says that nothing comes after an empty cursor', {}],
  ['does not know the address when it is listened to', { onGet: (response) => void response.writeHead(404).end() }],
  ['calls listening a bad request', { onGet: (response) => void response.writeHead(400).end('No sessionId') }],
  ['fails when it is listened to', { onGet: (response) => void response.writeHead(500).end() }],
  ['answers with a page when it is listened to', { onGet: page }],
  ['answers with JSON when it is listened to', { onGet: (response) => json(response, '{"ok":true}') }],
  ['takes notifications with 200 and nothing', { onNotification: (response) => void response.writeHead(200).end() }],
  ['takes notifications with 204', { onNotification: (response) => void response.writeHead(204).end() }],
  ['takes notifications with 200 and JSON', { onNotification: (response) => json(response, 'null') }],
  [
    'answers with an event stream in one event',
    {
      send: (response, body) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`event: message\ndata: ${body}\n\n`),
    },
  ],
  [
    'answers with a stream that has comments, ids, and CR LF',
    {
      send: (response, body) =>
        void response
          .writeHead(200, { 'content-type': 'text/event-stream;charset=UTF-8' })
          .end(`: hello\r\nid: 1\r\ndata: ${body}\r\n\r\n`),
    },
  ],
];

describe('An HTTP server for MCP that', function () {
  this.timeout(60_000);

  for (const [what, odd] of QUIRKS) {
    it(`${what} can be used`, () =>
      withOddServer({ ...USUAL, ...odd }, (url, listened) =>
        withServer(
          'none',
          async ({ servers, server, call }) => {
            await servers.check(await server(), new AbortController().signal);
            for (const time of [1, 2, 3]) {
              const { text: said, status } = await call('count');
              assert.equal(status, 'ok', `call ${time}: ${said}`);
              assert.match(said, /One/);
            }
            assert.equal((await server()).state.kind, 'ready');
            assert.ok(listened() <= 3, `it was listened to ${listened()} times`);
          },
          { type: 'http', url, command: undefined, args: undefined },
        ),
      ));
  }
});
