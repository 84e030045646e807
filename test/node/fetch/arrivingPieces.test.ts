import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { ArrivingPieces } from '../../../src/node/fetch/plainResponse';

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += Buffer.from(piece).toString();
  return text;
}

/** The response to one request to a server in this process. */
async function answerOf(
  answer: (response: ServerResponse) => void,
): Promise<{ incoming: IncomingMessage; server: Server }> {
  const server = createServer((_, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const asked = request({ host: '127.0.0.1', port: typeof address === 'object' ? address?.port : undefined });
  asked.on('error', () => undefined).end();
  const incoming = await new Promise<IncomingMessage>((resolve) => asked.on('response', resolve));
  return { incoming, server };
}

describe('A streamed response body', () => {
  it('arrives in full and in order, with simultaneous pieces combined', async () => {
    const stream = new PassThrough();
    const pieces = new ArrivingPieces(stream);
    const first = pieces.next();
    for (const text of ['a', 'b', 'c']) stream.write(text);
    assert.equal(Buffer.from((await first).value ?? []).toString(), 'abc');
    stream.end('d');
    assert.equal(await textOf(pieces), 'd');
    assert.deepEqual(await pieces.next(), { done: true, value: undefined });
  });

  it('applies backpressure while it is not read, and loses nothing', async () => {
    const stream = new PassThrough();
    const pieces = new ArrivingPieces(stream);
    const block = Buffer.alloc(16 * 1024, 'x');
    const first = pieces.next();
    stream.write(block);
    assert.equal((await first).value?.length, block.length);
    let written = 1;
    while (stream.write(block)) {
      written++;
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(written < 100, 'The sender is never told to wait.');
    }
    stream.end();
    assert.equal((await textOf(pieces)).length, written * block.length);
  });

  it('fails where the connection breaks, after what came before', async () => {
    const { incoming, server } = await answerOf((response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    });
    const pieces = new ArrivingPieces(incoming);
    assert.equal(Buffer.from((await pieces.next()).value ?? []).toString(), 'half');
    await assert.rejects(pieces.next(), /aborted|Premature close/);
    assert.deepEqual(await pieces.next(), { done: true, value: undefined });
    server.close();
  });

  it('fails at once if the stream ended before it was read', async () => {
    const stream = new PassThrough();
    stream.destroy();
    await assert.rejects(new ArrivingPieces(stream).next(), /Premature close/);
  });

  it('closes the connection when reading stops early', async () => {
    const { incoming, server } = await answerOf((response) => {
      response.writeHead(200);
      response.write('first');
    });
    for await (const piece of new ArrivingPieces(incoming)) {
      assert.equal(Buffer.from(piece).toString(), 'first');
      break;
    }
    assert.equal(incoming.destroyed, true);
    server.close();
  });
});
