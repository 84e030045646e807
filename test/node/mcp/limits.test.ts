import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { nodeMcpConnector } from '../../../src/node/mcp/nodeMcpConnector';
import { memorySignIns } from '../../support/memorySignIns';

const { signal } = new AbortController();
const message = z.looseObject({
  id: z.optional(z.union([z.number(), z.string()])),
  method: z._default(z.string(), ''),
});

type Answer = (response: ServerResponse, id: string) => void;

/** An HTTP server of the older protocol that answers tool calls with `answer`. */
async function withServer(answer: Answer, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((request, response) => void speak(request, response, answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  try {
    await use(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function speak(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method } = message.parse(JSON.parse(await text(request)));
  if (id === undefined) return void response.writeHead(202).end();
  if (method === 'tools/call') {
    answer(response, JSON.stringify(id));
    return;
  }
  const serverInfo = { name: 'tides', version: '1' };
  const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo };
  const error = { code: -32601, message: `Unknown: ${method}` };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(method === 'initialize' ? { result } : { error }) }));
}

const piece = 'x'.repeat(1_000_000);

function asJson(response: ServerResponse, id: string): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
  for (let at = 0; at < 25; at++) response.write(piece);
  response.end('"}]}}');
}

function asStream(response: ServerResponse, id: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write(`data: {"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
  for (let at = 0; at < 25; at++) response.write(piece);
  response.end('"}]}}\n\n');
}

function inManyMessages(response: ServerResponse, id: string): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const note = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: piece } };
  for (let at = 0; at < 25; at++) response.write(`data: ${JSON.stringify(note)}\n\n`);
  response.end(`data: {"jsonrpc":"2.0","id":${id},"result":{"content":[]}}\n\n`);
}

describe('A response from an address', function () {
  this.timeout(60_000);

  const called = async (answer: Answer) => {
    const said: string[] = [];
    let end = '';
    await withServer(answer, async (url) => {
      const connector = nodeMcpConnector({ env: process.env, fetch, signIns: memorySignIns() });
      const options = {
        ...{ timeoutMs: 30_000, secrets: [], onListsChanged: () => undefined, onEnd: () => undefined },
        onSaid: (_: string, line: string) => said.push(line.slice(0, 100)),
      };
      const link = await connector.connect({ type: 'http', url, headers: {} }, options, signal);
      const calling = { signal, timeoutMs: 40_000, onProgress: () => undefined };
      end = await link.callTool('echo', {}, calling).then(() => 'answered', String);
      await link.close();
    });
    return { end, said };
  };

  for (const [how, answer] of [
    ['sent as JSON', asJson],
    ['sent as a stream', asStream],
  ] as const)
    it(`${how} is not read past the message limit, and only closes the connection`, async () => {
      const { end, said } = await called(answer);
      assert.match(end, /^EngineError: /);
      assert.deepEqual(said, ['A response of more than 20 MB was not read.']);
    });

  it('is accepted after many messages that exceed the limit together', async () => {
    const { end, said } = await called(inManyMessages);
    assert.equal(end, 'answered');
    assert.equal(said.length, 25);
  });
});
