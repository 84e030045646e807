import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib';
import { Deferred } from '../../../src/base/async';
import { nodeFetch as nodeFetchIn } from '../../../src/node/fetch/nodeFetch';
import { until } from '../../editor/until';

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
  it('sends method, headers and body, and returns status, headers and body', () =>
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

  it('sends host and body length, and signs in with the credentials of the address', () =>
    withServer(
      (incoming, response) => {
        const { host, authorization, 'content-length': length } = incoming.headers;
        response.end(JSON.stringify({ host, authorization, length }));
      },
      async (url) => {
        const ask = async (address: string): Promise<unknown> =>
          (await nodeFetch(address, { method: 'POST', body: 'grüße' })).json();
        const { host } = new URL(url);
        assert.deepEqual(await ask(url), { host, length: '7' });
        const signedIn = url.replace('://', '://ann:key@');
        const authorization = `Basic ${Buffer.from('ann:key').toString('base64')}`;
        assert.deepEqual(await ask(signedIn), { host, authorization, length: '7' });
      },
    ));

  it('sends nothing for a request with a line break in a header', () => {
    let asked = 0;
    return withServer(
      (_, response) => {
        asked++;
        response.end();
      },
      async (url) => {
        const broken: Record<string, string>[] = [{ a: 'x\r\nb: c' }, { 'a\r\nb': 'c' }, { a: 'x\0' }, { 'a b': 'c' }];
        for (const headers of broken) await assert.rejects(nodeFetch(url, { headers }), TypeError);
        assert.equal(asked, 0);
      },
    );
  });

  it('returns a body piece by piece as it arrives', () => {
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

  it('follows a redirect on the same host with method and body, but none to another host', () =>
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

  for (const status of [301, 302, 303, 307, 308]) {
    for (const method of ['GET', 'HEAD']) {
      it(`follows a ${status} of a ${method} on the same host`, () =>
        withServer(
          (incoming, response) => {
            if (incoming.url === '/old') response.writeHead(status, { location: 'new?a=1' }).end();
            else response.end(incoming.method === 'GET' ? (incoming.url ?? '') : undefined);
          },
          async (url) => {
            const response = await nodeFetch(`${url}/old`, { method });
            assert.deepEqual([response.status, response.redirected, response.url], [200, true, `${url}/new?a=1`]);
            assert.equal(await response.text(), method === 'GET' ? '/new?a=1' : '');
          },
        ));
    }
  }

  for (const status of [301, 302, 303]) {
    it(`reports the address to which a ${status} redirects a POST, and does not follow it`, async () => {
      const asked: string[] = [];
      await withServer(
        (incoming, response) => {
          asked.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`);
          response.writeHead(status, { location: '/v2/chat?key=secret' }).end('moved');
        },
        async (url) => {
          const thrown: unknown = await nodeFetch(`${url}/v1/chat`, { method: 'POST', body: 'a question' }).then(
            () => undefined,
            (error: unknown) => error,
          );
          assert.ok(thrown instanceof TypeError && thrown.cause instanceof Error);
          const { message } = thrown.cause;
          assert.ok(message.includes(`${url}/v1/chat redirects requests to ${url}/v2/chat (${status})`), message);
          assert.doesNotMatch(message, /secret/);
        },
      );
      assert.deepEqual(asked, ['POST /v1/chat']);
    });
  }

  it('returns a redirect to another host, or without an address, to the caller', () =>
    withServer(
      (incoming, response) => {
        const location = incoming.url === '/away' ? 'http://127.0.0.2:9/' : 'http://[';
        response.writeHead(301, { location }).end('moved');
      },
      async (url) => {
        for (const path of ['/away', '/odd']) {
          const response = await nodeFetch(`${url}${path}`);
          assert.deepEqual([response.status, await response.text()], [301, 'moved']);
        }
      },
    ));

  it('follows five redirects in a row, and no more', () =>
    withServer(
      ({ url }, response) => {
        const left = Number(url?.slice(1));
        if (left === 0) response.end('there');
        else response.writeHead(302, { location: `/${left - 1}` }).end();
      },
      async (url) => {
        const five = await nodeFetch(`${url}/5`);
        assert.deepEqual([five.status, five.redirected, await five.text()], [200, true, 'there']);
        const six = await nodeFetch(`${url}/6`);
        assert.deepEqual([six.status, six.url], [302, `${url}/1`]);
      },
    ));

  it('leaves no listener on the signal, however many requests have used it', () =>
    withServer(
      (_, response) => response.end('here'),
      async (url) => {
        const { signal } = new AbortController();
        for (let count = 0; count < 3; count++) await (await nodeFetch(url, { signal })).text();
        await until('no listener', () => Promise.resolve(getEventListeners(signal, 'abort').length === 0));
      },
    ));

  const packed: Readonly<Record<string, (text: string) => Buffer>> = {
    gzip: gzipSync,
    'x-gzip': gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    'deflate, gzip': (plain) => gzipSync(deflateSync(plain)),
    GZIP: gzipSync,
  };
  for (const [encoding, pack] of Object.entries(packed)) {
    it(`decodes ${encoding} that was not requested, in each form of the body`, () =>
      withServer(
        (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(pack('{"a":"é"}')),
        async (url) => {
          assert.deepEqual(await (await nodeFetch(url)).json(), { a: 'é' });
          const { body } = await nodeFetch(url);
          assert.equal(body && (await text(body)), '{"a":"é"}');
        },
      ));
  }

  it('leaves unknown encodings and responses without a body unchanged', () =>
    withServer(
      (incoming, response) => {
        if (incoming.method === 'HEAD') response.writeHead(200, { 'content-encoding': 'gzip' }).end();
        else if (incoming.url === '/empty') response.writeHead(204, { 'content-encoding': 'gzip' }).end();
        else response.writeHead(200, { 'content-encoding': 'own' }).end('as it is');
      },
      async (url) => {
        assert.equal(await (await nodeFetch(url)).text(), 'as it is');
        assert.equal(await (await nodeFetch(url, { method: 'HEAD' })).text(), '');
        assert.equal((await nodeFetch(`${url}/empty`)).body, null);
      },
    ));

  it('decodes a body piece by piece, and disconnects when reading stops midway', () => {
    const hungUp = new Deferred<void>();
    return withServer(
      (_, response) => {
        response.on('close', () => hungUp.resolve());
        response.writeHead(200, { 'content-encoding': 'gzip' });
        const pack = createGzip();
        pack.pipe(response);
        pack.write('begun');
        pack.flush();
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

  it('rejects when a body is not encoded as declared, or breaks off', () =>
    withServer(
      (incoming, response) => {
        const whole = gzipSync('a text that is cut');
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.end(incoming.url === '/cut' ? whole.subarray(0, whole.length - 9) : 'no gzip at all');
      },
      async (url) => {
        for (const path of ['/cut', '/wrong']) {
          const response = await nodeFetch(`${url}${path}`);
          await assert.rejects(response.text(), path);
        }
      },
    ));

  it('rejects when aborted in the middle of an encoded body', () =>
    withServer(
      (_, response) => {
        const whole = gzipSync('a text that never ends');
        response.writeHead(200, { 'content-encoding': 'gzip' });
        response.write(whole.subarray(0, whole.length - 9));
      },
      async (url) => {
        const abort = new AbortController();
        const response = await nodeFetch(url, { signal: abort.signal });
        const reading = response.text();
        abort.abort();
        await assert.rejects(reading);
      },
    ));

  it('rejects when aborted, and disconnects in the middle of a body', () => {
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

  it('disconnects when the body is no longer read', () => {
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

  it('returns the full body in each of its forms, once', () =>
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

  it('disconnects when the reader stops in the middle', () => {
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

  it('rejects like fetch when nothing answers, with the system’s error as cause', async () => {
    await assert.rejects(nodeFetch('http://127.0.0.1:9/'), (error) => {
      assert.ok(error instanceof TypeError && error.cause instanceof Error);
      return 'code' in error.cause && error.cause.code === 'ECONNREFUSED';
    });
  });

  it('reads the environment once, however often it is called', () =>
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
