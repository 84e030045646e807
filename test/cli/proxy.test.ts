import assert from 'node:assert/strict';
import { startProxy, type TestProxy } from '../support/startProxy';
import { inShell } from './inShell';

const ask = ['-m', 'openai:test-model', 'hello'];

async function withProxy(use: (proxy: TestProxy) => Promise<void>, refuses?: number): Promise<void> {
  const proxy = await startProxy(refuses);
  try {
    await use(proxy);
  } finally {
    await proxy.close();
  }
}

describe('The command behind a proxy', function () {
  this.timeout(60_000);

  it('reaches the model through the proxy', () =>
    inShell([{ say: 'Through the proxy.' }], ({ cairn, server }) =>
      withProxy(async ({ port, asked }) => {
        const base = `http://models.example:${server.port}/v1`;
        const env = { OPENAI_BASE_URL: base, HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: '127.0.0.1' };
        const { status, out, err } = await cairn(ask, { env });
        assert.deepEqual([status, out], [0, 'Through the proxy.\n'], err);
        assert.ok(asked.every(({ what }) => what.startsWith(`POST ${base}/`)) && asked.length > 0);
      }),
    ));

  it('names a proxy that requires a password, and the variable to set', () =>
    inShell([], ({ cairn }) =>
      withProxy(async ({ port }) => {
        const address = `http://127.0.0.1:${port}`;
        const env = { OPENAI_BASE_URL: 'https://models.example/v1', HTTPS_PROXY: address, NO_PROXY: '127.0.0.1' };
        const { status, err } = await cairn(ask, { env });
        assert.equal(status, 1);
        assert.ok(err.includes(`The proxy ${address} on the way to https://models.example requires a user name`), err);
        assert.ok(err.includes(`HTTPS_PROXY=http://name:password@127.0.0.1:${port}`), err);
      }, 407),
    ));
});
