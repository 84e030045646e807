import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { isAbort } from '../../src/base/abort';
import { EngineError } from '../../src/engine';
import { nodeWeb } from '../../src/node/web/nodeWeb';
import { isPrivateAddress } from '../../src/node/web/privateAddress';

const PAGES: Record<string, RequestListener> = {
  '/page': (_, answer) => answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>ü</p>'),
  '/packed': (_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed')),
  '/bomb': (_, answer) => answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(3_000_000))),
  '/exact': (_, answer) => answer.writeHead(200).end(Buffer.alloc(1_000_000)),
  '/missing': (_, answer) => answer.writeHead(404).end('no such page'),
  '/silent': () => undefined,
  '/trickle': (_, answer) => void answer.writeHead(200).write('begun'),
  '/cut-packed': (_, answer) => {
    answer.writeHead(200, { 'content-encoding': 'gzip' }).write(gzipSync(randomBytes(50_000)).subarray(0, 20_000));
    setImmediate(() => answer.destroy());
  },
  '/twice': (_, answer) =>
    answer.writeHead(200, { 'content-encoding': 'br, gzip' }).end(gzipSync(brotliCompressSync('twice'))),
  '/cut': (_, answer) => {
    answer.writeHead(200, { 'content-length': 100 }).write('begun');
    setImmediate(() => answer.destroy());
  },
};

describe('nodeWeb', () => {
  const web = nodeWeb();
  let server: Server;
  let base: string;
  before((done) => {
    server = createServer((request, answer) => {
      const path = request.url ?? '/';
      const hops = /^\/hop(\d+)$/.exec(path)?.[1];
      const to = /^\/to\?(.*)$/.exec(path)?.[1];
      if (hops !== undefined) {
        const next = Number(hops) > 1 ? `hop${Number(hops) - 1}` : 'page';
        answer.writeHead(302, { location: next }).end();
      } else if (to !== undefined) answer.writeHead(301, { location: decodeURIComponent(to) }).end();
      else PAGES[path]?.(request, answer);
    }).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      base = `http://127.0.0.1:${port}`;
      done();
    });
  });
  after((done) => {
    server.closeAllConnections();
    server.close(done);
  });

  const get = (path: string, more: object = {}, signal = new AbortController().signal) =>
    web.get(
      {
        ...{ url: path.startsWith('/') ? base + path : path, allowsPrivate: () => Promise.resolve(true) },
        ...{ timeoutMs: 5000, maxBytes: 1_000_000, ...more },
      },
      signal,
    );
  const refusal = async (path: string, more?: object) => {
    const error: unknown = await get(path, more).then(
      () => assert.fail(`${path} was fetched`),
      (thrown: unknown) => thrown,
    );
    assert.ok(EngineError.is(error), String(error));
    return `${error.reason}: ${error.message}`;
  };

  it('returns status, type and the decoded body', async () => {
    const { status, contentType, body } = await get('/page');
    assert.deepEqual(
      [status, contentType, Buffer.from(body).toString()],
      [200, 'text/html; charset=utf-8', '<p>ü</p>'],
    );
    assert.equal(Buffer.from((await get('/packed')).body).toString(), 'packed');
    assert.equal(Buffer.from((await get('/twice')).body).toString(), 'twice');
    assert.equal((await get('/missing')).status, 404);
  });

  it('follows five redirects but not six', async () => {
    assert.equal((await get('/hop5')).url, `${base}/page`);
    assert.match(await refusal('/hop6'), /^io: .* redirects more than 5 times/);
  });

  it('contacts private addresses only where allowed, at every hop', async () => {
    const port = base.split(':')[2] ?? '';
    const none = { allowsPrivate: () => Promise.resolve(false) };
    for (const host of ['127.0.0.1', 'localhost', '0x7f.1', '2130706433', '[::1]', '[::ffff:127.0.0.1]', '0']) {
      assert.match(await refusal(`http://${host}:${port}/page`, none), /^denied: .* private or local address/, host);
    }
    const first = { allowsPrivate: (host: string) => Promise.resolve(host === '127.0.0.1') };
    assert.equal((await get('/page', first)).status, 200);
    assert.match(
      await refusal(`/to?${encodeURIComponent(`http://localhost:${port}/page`)}`, first),
      /^denied: localhost/,
    );
    assert.match(await refusal('http://169.254.169.254/latest/meta-data', none), /^denied/);
  });

  it('uses http and https only, also after a redirect', async () => {
    for (const url of ['file:///etc/passwd', 'ftp://example.org/', 'data:text/plain,x']) {
      assert.match(await refusal(url), /^invalid-input: .* is not an http or https address/);
      assert.match(
        await refusal(`/to?${encodeURIComponent(url)}`),
        /^invalid-input: .* is not an http or https address/,
      );
    }
    assert.match(await refusal('example.org/page'), /^invalid-input: example\.org\/page is not an address/);
  });

  it('fails if the body is too big, even when encoded, too slow, or cut off', async () => {
    assert.equal((await get('/exact')).body.length, 1_000_000);
    assert.match(await refusal('/bomb'), /^io: The response is larger than the limit of 1 MB/);
    assert.match(await refusal('/silent', { timeoutMs: 100 }), /^io: .* no complete response within 0 s/);
    assert.match(await refusal('/trickle', { timeoutMs: 100 }), /^io: .* no complete response/);
    for (const path of ['/cut', '/cut-packed'])
      assert.match(await refusal(path), /^io: .* could not be fetched: the connection was cut/);
    assert.match(await refusal('http://127.0.0.1:1/'), /^io: .* nothing is listening there/);
  });

  it('stops when cancelled', async () => {
    const abort = new AbortController();
    const running = get('/silent', {}, abort.signal);
    abort.abort();
    await assert.rejects(running, isAbort);
  });

  it('distinguishes public addresses from others', () => {
    const inside = ['10.1.2.3', '172.16.0.1', '192.168.1.1', '100.64.0.1', '169.254.169.254', '0.0.0.0', '224.0.0.1'];
    const inside6 = ['::', '::1', 'fe80::1', 'fc00::1', 'fd12::1', '::ffff:10.0.0.1', '::ffff:a00:1', '64:ff9b::a00:1'];
    const carried = [
      '::ffff:0:7f00:1',
      '::ffff:0:10.0.0.1',
      '::7f00:1',
      '2001:0:7f00:1::',
      '2002:7f00:1::',
      '64:ff9b:1::1',
    ];
    const reserved = [
      '192.0.2.1',
      '198.51.100.7',
      '203.0.113.9',
      '2001:db8::1',
      '3fff::1',
      'fec0::1',
      '5f00::1',
      '4000::1',
    ];
    const spelled = ['0:0:0:0:0:ffff:7f00:1', '::FFFF:127.0.0.1', 'fe80::1%eth0', '0000::0001'];
    for (const address of [...inside, ...inside6, ...carried, ...reserved, ...spelled, 'name'])
      assert.ok(isPrivateAddress(address), address);
    for (const address of [
      '8.8.8.8',
      '172.32.0.1',
      '2606:4700::1111',
      '::ffff:8.8.8.8',
      '::ffff:808:808',
      '192.0.1.1',
      '2a00::1',
    ]) {
      assert.ok(!isPrivateAddress(address), address);
    }
  });
});
