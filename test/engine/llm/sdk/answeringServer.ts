import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';

/** Starts a local server that calls `answer` for every request once its whole body has arrived. */
export async function answeringServer(
  answer: (url: string, body: string, response: ServerResponse) => void | Promise<void>,
): Promise<Server> {
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => void answer(incoming.url ?? '', Buffer.concat(pieces).toString(), response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** The server's address without a path. */
export function addressOf(server: Server): string {
  const address = server.address();
  assert.ok(typeof address === 'object' && address);
  return `http://127.0.0.1:${address.port}`;
}
