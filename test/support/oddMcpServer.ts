import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import type { McpLaunch } from '../../src/engine';
import { repoRoot } from '../editor/repoRoot';

/** The ways in which a server answers: as a program, over HTTP with a document or a stream, or over the older transport. */
export const WAYS = ['stdio', 'json', 'stream', 'sse'] as const;
export type Way = (typeof WAYS)[number];

const message = z.looseObject({
  id: z.optional(z.union([z.number(), z.string()])),
  method: z._default(z.string(), ''),
  params: z.optional(z.looseObject({ arguments: z.optional(z.looseObject({ at: z.optional(z.number()) })) })),
});
const capabilities = { tools: { listChanged: true } };
const about = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'odd', version: '1' } };
const tools = [{ name: 'echo', inputSchema: { type: 'object' } }];
const RESULTS: Readonly<Record<string, object>> = { initialize: about, 'tools/list': { tools } };

/**
 * Runs `use` with a server that answers each tool call with exactly the message whose number is its argument `at`, or with all of
 * them. ID in them stands for the call's id, `COUNT*` before one means that it is sent so often,
 * END ends the stream, and ACCEPTED is a response of status 202 without an answer.
 */
export async function withOddServer(
  way: Way,
  messages: readonly string[],
  use: (launch: McpLaunch) => Promise<void>,
): Promise<void> {
  if (way === 'stdio') {
    const args = [join(repoRoot, 'test/fixtures/mcp/oddServer.mjs'), ...messages];
    return use({ type: 'stdio', command: process.execPath, args, cwd: repoRoot, env: {} });
  }
  const state: { events: ServerResponse | undefined } = { events: undefined };
  const server = createServer((request, response) => void speak(request, response, { way, messages, state }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/mcp`;
  try {
    await use({ type: way === 'sse' ? 'sse' : 'http', url, headers: {} });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

interface Speaking {
  way: Way;
  messages: readonly string[];
  /** The stream of the older transport. */
  state: { events: ServerResponse | undefined };
}

async function speak(request: IncomingMessage, response: ServerResponse, { way, messages, state }: Speaking) {
  if (request.method === 'GET' && way === 'sse') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: endpoint\ndata: /mcp\n\n');
    state.events = response;
    return;
  }
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method, params } = message.parse(JSON.parse(await text(request)));
  if (id === undefined) return void response.writeHead(202).end();
  const result = JSON.stringify({ jsonrpc: '2.0', id, result: RESULTS[method] ?? {} });
  const at = params?.arguments?.at;
  const meant = at === undefined ? messages : messages.slice(at, at + 1);
  const all = method === 'tools/call' ? meant.map((one) => one.replaceAll('ID', String(id))) : [result];
  if (all.includes('ACCEPTED')) return void response.writeHead(202).end();
  if (way === 'json') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(all.join('\n'));
    return;
  }
  if (way === 'sse') response.writeHead(202).end();
  else response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = way === 'sse' ? state.events : response;
  // It stays open, so that nothing but the messages says that the call is over.
  for (const one of all) {
    const [, count = '1', sent = ''] = /^(?:(\d+)\*)?([^]*)$/.exec(one) ?? [];
    if (one === 'END') events?.end();
    else events?.write(`data: ${sent}\n\n`.repeat(Number(count)));
  }
}
