import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSafeServer } from 'node:https';
import type { Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodeFetch } from '../../../src/node/fetch/nodeFetch';
import { proxyFor } from '../../../src/node/fetch/proxyFor';
import { startProxy, type TestProxy } from '../../support/startProxy';
import { until } from '../../editor/until';

const VARIABLES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()]);
const SIGN_IN = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;

/** Starts a proxy that the variables name, and restores the environment afterwards. */
async function withProxy(
  env: (proxy: TestProxy) => Readonly<Record<string, string>>,
  use: (proxy: TestProxy) => Promise<void>,
  refuses?: number,
): Promise<void> {
  const proxy = await startProxy(refuses);
  const before = { ...process.env };
  for (const name of VARIABLES) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env(proxy));
  try {
    await use(proxy);
  } finally {
    for (const name of [...VARIABLES, 'NODE_TLS_REJECT_UNAUTHORIZED']) Reflect.deleteProperty(process.env, name);
    Object.assign(process.env, before);
    await proxy.close();
  }
}

async function listening(server: Server, use: (port: number) => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  try {
    assert.ok(address !== null && typeof address === 'object');
    await use(address.port);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
}

function safeServer(answer: string): Server {
  const folder = mkdtempSync(path.join(tmpdir(), 'certificate-'));
  const file = (name: string) => path.join(folder, name);
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=models.example'];
  try {
    execFileSync('openssl', ['req', '-x509', ...made, '-keyout', file('key'), '-out', file('cert')], {
      stdio: 'ignore',
    });
    const pair = { key: readFileSync(file('key')), cert: readFileSync(file('cert')) };
    return createSafeServer(pair, (_, response) => response.end(answer));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function sentenceOf(request: Promise<unknown>): Promise<string> {
  const thrown: unknown = await request.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof TypeError && thrown.cause instanceof Error);
  return thrown.cause.message;
}

describe('nodeFetch with a proxy', () => {
  it('requests the full address and signs in', () =>
    listening(
      createServer((incoming, response) => incoming.pipe(response)),
      (port) =>
        withProxy(
          (proxy) => ({ HTTP_PROXY: `me:p%40ss@127.0.0.1:${proxy.port}` }),
          async ({ asked }) => {
            const url = `http://models.example:${port}/v1`;
            const response = await nodeFetch(process.env)(url, { method: 'POST', body: 'a question' });
            assert.equal(await response.text(), 'a question');
            assert.deepEqual(asked, [{ what: `POST ${url}`, signIn: SIGN_IN }]);
          },
        ),
    ));

  it('uses a tunnel for https, and reuses it', () =>
    listening(safeServer('an answer'), (port) =>
      withProxy(
        (proxy) => ({ https_proxy: `http://me:p%40ss@127.0.0.1:${proxy.port}`, NODE_TLS_REJECT_UNAUTHORIZED: '0' }),
        async ({ asked }) => {
          for (const turn of ['first', 'second']) {
            const response = await nodeFetch(process.env)(`https://models.example:${port}/${turn}`, {
              method: 'POST',
              body: turn,
            });
            assert.equal(await response.text(), 'an answer');
          }
          assert.deepEqual(asked, [{ what: `CONNECT models.example:${port}`, signIn: SIGN_IN }]);
        },
      ),
    ));

  for (const scheme of ['http', 'https']) {
    const target = `${scheme}://models.example/v1`;
    const variable = `${scheme.toUpperCase()}_PROXY`;

    it(`reports a proxy that requires a password, for ${scheme}, and where to set it`, () =>
      withProxy(
        ({ port }) => ({ [variable]: `http://127.0.0.1:${port}` }),
        async ({ port }) => {
          assert.equal(
            await sentenceOf(nodeFetch(process.env)(target)),
            `The proxy http://127.0.0.1:${port} on the way to ${scheme}://models.example requires a user name and a password (407). ` +
              `Write them into its address: ${variable}=http://name:password@127.0.0.1:${port}`,
          );
        },
        407,
      ));

    it(`reports an unreachable proxy, for ${scheme}, without its password`, () =>
      withProxy(
        () => ({ ALL_PROXY: 'http://me:secret@127.0.0.1:9' }),
        async () => {
          const sentence = await sentenceOf(nodeFetch(process.env)(target));
          assert.match(
            sentence,
            /^The proxy http:\/\/127\.0\.0\.1:9 .* could not be reached \(ECONNREFUSED\)\..*ALL_PROXY/,
          );
          assert.doesNotMatch(sentence, /secret/);
        },
      ));
  }

  it('rejects when aborted while waiting for a tunnel', () =>
    withProxy(
      ({ port }) => ({ HTTPS_PROXY: `http://127.0.0.1:${port}` }),
      async ({ asked }) => {
        const abort = new AbortController();
        const fetching = nodeFetch(process.env)('https://models.example/v1', { signal: abort.signal });
        fetching.catch(() => undefined);
        await until('the proxy to be asked', async () => asked.length === 1);
        abort.abort();
        await assert.rejects(fetching, { name: 'AbortError' });
      },
      0,
    ));

  it('reports which variable is not a usable proxy', () =>
    withProxy(
      () => ({ HTTPS_PROXY: 'socks5://127.0.0.1:1080' }),
      async () =>
        assert.match(
          await sentenceOf(nodeFetch(process.env)('https://models.example/')),
          /HTTPS_PROXY is not a proxy that Cairn can use/,
        ),
    ));
});

describe('The proxy for an address', () => {
  const found = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.url.host;

  it('is that of its scheme, lower case before upper case, or else ALL_PROXY', () => {
    const env = { HTTP_PROXY: 'capital:1', http_proxy: 'small:2', ALL_PROXY: 'all:3' };
    assert.equal(found('http://models.example', env), 'small:2');
    assert.equal(found('https://models.example', env), 'all:3');
    assert.equal(found('https://models.example', { HTTP_PROXY: 'http://capital:1', HTTPS_PROXY: '' }), undefined);
  });

  for (const [list, hosts] of [
    ['models.example', ['models.example', 'eu.models.example']],
    ['.models.example, other', ['models.example', 'eu.models.example']],
    ['*.models.example', ['eu.models.example']],
    ['models.example:443', ['models.example']],
    ['10.0.0.0/8 ::1', ['10.1.2.3', '[::1]']],
    ['*', ['anything', '1.2.3.4']],
  ] as const) {
    it(`is not used for NO_PROXY: ${list}`, () => {
      const env = { HTTPS_PROXY: 'http://office:8080', NO_PROXY: list };
      for (const host of hosts) assert.equal(found(`https://${host}/v1`, env), undefined, host);
      if (list !== '*')
        for (const host of ['mymodels.example', '11.0.0.1']) assert.ok(found(`https://${host}`, env), host);
      if (list.endsWith(':443')) assert.ok(found('https://models.example:8443', env));
    });
  }
});
