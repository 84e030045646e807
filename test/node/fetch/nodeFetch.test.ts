import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { Deferred } from '../../../src/base/deferred';
import { nodeFetch as nodeFetchIn } from '../../../src/node/fetch/nodeFetch';

const nodeFetch = nodeFetchIn({});

async function withServer(answer: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    if (address === null || typeof address === 'string') throw new Error('the server does not listen');
    await use(`http://127.0.0.1:${address.port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describe('nodeFetch', () => {
  it('sends method, headers and body, and gives status, headers and body', () =>
    withServer(
      (incoming, response) => {
        void text(incoming).then((body) => {
          response.writeHead(201, { 'x-answer': 'yes', 'set-cookie': ['a=1', 'b=2'] });
          response.end(`${incoming.method ?? ''} ${String(incoming.headers['x-ask'])} ${body}`);
        });
      },
      async (url) => {
        const response = await nodeFetch(`${url}/x`, { method: 'POST', headers: { 'X-Ask': 'please' }, body: 'grüße' });
        assert.deepEqual([response.status, response.ok, response.headers.get('x-answer')], [201, true, 'yes']);
        assert.deepEqual(response.headers.getSetCookie(), ['a=1', 'b=2']);
        assert.equal(await response.text(), 'POST please grüße');
      },
    ));

  it('gives a body piece by piece as it comes', () => {
    const goOn = new Deferred<void>();
    return withServer(
      (_, response) => {
        response.write('one');
        void goOn.promise.then(() => response.end('two'));
      },
      async (url) => {
        const body: ReadableStream<Uint8Array> | null = (await nodeFetch(url)).body;
        const pieces: string[] = [];
        for await (const piece of body ?? []) {
          pieces.push(new TextDecoder().decode(piece));
          goOn.resolve();
        }
        assert.deepEqual(pieces, ['one', 'two']);
      },
    );
  });

  it('follows a redirect on the same host with method and body, and none to another host', () =>
    withServer(
      (incoming, response) => {
        if (incoming.url === '/old') response.writeHead(308, { location: '/new' }).end();
        else if (incoming.url === '/away') response.writeHead(307, { location: 'http://127.0.0.2:9/' }).end();
        else void text(incoming).then((body) => response.end(`${incoming.method ?? ''} ${body}`));
      },
      async (url) => {
        const response = await nodeFetch(`${url}/old`, { method: 'POST', body: 'kept' });
        assert.equal(await response.text(), 'POST kept');
        assert.equal((await nodeFetch(`${url}/away`, { method: 'POST', body: 'kept' })).status, 307);
      },
    ));

  it('rejects when aborted, and hangs up in the middle of a body', () => {
    const hungUp = new Deferred<void>();
    return withServer(
      (_, response) => {
        response.on('close', () => hungUp.resolve());
        response.write('begun');
      },
      async (url) => {
        const abort = new AbortController();
        const { body } = await nodeFetch(url, { signal: abort.signal });
        const reader = body?.getReader();
        await reader?.read();
        abort.abort();
        await assert.rejects(async () => reader?.read());
        await hungUp.promise;
        await assert.rejects(nodeFetch(url, { signal: abort.signal }), { name: 'AbortError' });
      },
    );
  });

  it('hangs up when nobody reads on', () => {
    const hungUp = new Deferred<void>();
    return withServer(
      (_, response) => {
        response.on('close', () => hungUp.resolve());
        response.write('begun');
      },
      async (url) => {
        await (await nodeFetch(url)).body?.cancel();
        await hungUp.promise;
      },
    );
  });

  it('gives the whole of a body in each of its forms, once', () =>
    withServer(
      (_, response) => response.end('{"a":"é"}'),
      async (url) => {
        assert.deepEqual(await (await nodeFetch(url)).json(), { a: 'é' });
        assert.equal((await (await nodeFetch(url)).arrayBuffer()).byteLength, 10);
        const response = await nodeFetch(url);
        const both = response.body?.tee() ?? [];
        assert.deepEqual(await Promise.all(both.map((one) => text(one))), ['{"a":"é"}', '{"a":"é"}']);
        assert.equal(response.bodyUsed, true);
        await assert.rejects(async () => response.text(), TypeError);
      },
    ));

  it('hangs up when somebody stops in the middle', () => {
    const hungUp = new Deferred<void>();
    return withServer(
      (_, response) => {
        response.on('close', () => hungUp.resolve());
        response.write('begun');
      },
      async (url) => {
        const body: ReadableStream<Uint8Array> | null = (await nodeFetch(url)).body;
        for await (const piece of body ?? []) {
          assert.equal(new TextDecoder().decode(piece), 'begun');
          break;
        }
        await hungUp.promise;
      },
    );
  });

  it('rejects like fetch when nobody answers, with the system’s word as cause', async () => {
    await assert.rejects(nodeFetch('http://127.0.0.1:9/'), (error) => {
      assert.ok(error instanceof TypeError && error.cause instanceof Error);
      return 'code' in error.cause && error.cause.code === 'ECONNREFUSED';
    });
  });

  it('looks into the environment once, however often it is asked', () =>
    withServer(
      (_, response) => response.end('yes'),
      async (url) => {
        let looks = 0;
        const fetching = nodeFetchIn({
          get http_proxy() {
            looks++;
            return undefined;
          },
        });
        for (let turn = 0; turn < 3; turn++) assert.equal(await (await fetching(url)).text(), 'yes');
        assert.equal(looks, 1);
      },
    ));
});
