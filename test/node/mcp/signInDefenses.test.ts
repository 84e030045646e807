import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { Fetch, RemoteLaunch, SignInPage } from '../../../src/engine';
import { guardedFetch, mustBeSafe } from '../../../src/node/mcp/signIn/guardedFetch';
import { ServerTokens, signedInFetch } from '../../../src/node/mcp/signIn/serverTokens';
import { browser, denied, quiet, signal, signedIn, withServer } from './signInWorld';

describe('An MCP server that users sign in to', () => {
  it('accepts only a response with its own state, or what the user pastes', () =>
    withServer(async ({ connector, launch }) => {
      const statuses: number[] = [];
      const pasted: SignInPage = {
        async show(address) {
          const forged = new URL(address.searchParams.get('redirect_uri') ?? '');
          forged.search = 'code=stolen&state=guessed';
          statuses.push((await fetch(forged)).status);
          const { headers } = await fetch(address, { redirect: 'manual' });
          return headers.get('location') ?? '';
        },
      };
      await connector.signIn(launch, pasted, signal);
      assert.deepEqual(statuses, [404]);
      await (await connector.connect(launch, quiet, signal)).close();
    }));

  it('accepts only one plain request to the right address, from this machine', () =>
    withServer(async ({ connector, launch }) => {
      const statuses: number[] = [];
      const open = async (address: URL) => {
        const { headers } = await fetch(address, { redirect: 'manual' });
        const back = new URL(headers.get('location') ?? '');
        const elsewhere = new URL(back);
        elsewhere.pathname += '/more';
        for (const [url, method] of [
          [back, 'POST'],
          [`${back.href}&state=guessed`, 'GET'],
          [`${back.href}&padding=${'x'.repeat(9000)}`, 'GET'],
          [elsewhere, 'GET'],
        ] as const)
          statuses.push((await fetch(url, { method })).status);
        // Another address of this machine, where the system has one.
        const other = new URL(back);
        other.hostname = '127.0.0.2';
        await assert.rejects(fetch(other), 'it cannot be reached from outside');
        return Promise.allSettled([fetch(back), fetch(back)]);
      };
      let opened: ReturnType<typeof open> | undefined;
      const page: SignInPage = { show: (address) => (opened = open(address)).then(() => undefined) };
      await connector.signIn(launch, page, signal);
      assert.deepEqual(statuses, [404, 404, 404, 404]);
      const taken = (await opened)?.filter((one) => one.status === 'fulfilled' && one.value.ok);
      assert.equal(taken?.length, 1);
    }));

  it('rejects a response from another server than the one asked (RFC 9207)', () =>
    withServer(async ({ server, connector, launch, store }) => {
      server.faults.answersAs = 'https://other.example';
      await assert.rejects(
        connector.signIn(launch, browser, signal),
        denied(/answered by https:\/\/other\.example instead/),
      );
      server.faults.refuses = true;
      await assert.rejects(
        connector.signIn(launch, browser, signal),
        denied(/answered by https:\/\/other\.example instead/),
      );
      assert.equal(store.kept.size, 0);
    }));

  const hostile: readonly [string, (usual: Record<string, unknown>) => unknown, RegExp][] = [
    [
      'an issuer that differs from its address',
      (usual) => ({ ...usual, issuer: 'https://accounts.example' }),
      /issuer/i,
    ],
    [
      'an unencrypted sign-in page',
      (usual) => ({ ...usual, authorization_endpoint: 'http://accounts.example/authorize' }),
      /accounts\.example, which is not encrypted/,
    ],
    [
      'a sign-in page in a private network',
      (usual) => ({ ...usual, authorization_endpoint: 'https://192.168.1.1/authorize' }),
      /192\.168\.1\.1, which is not on the internet/,
    ],
    [
      'a javascript: address as the sign-in page',
      (usual) => ({ ...usual, authorization_endpoint: 'javascript:alert(1)' }),
      /authorization_endpoint|not encrypted/i,
    ],
    [
      'the address of a cloud metadata service for registration',
      (usual) => ({ ...usual, registration_endpoint: 'http://169.254.169.254/latest' }),
      /169\.254\.169\.254, which is not encrypted/,
    ],
    ['no support for PKCE with S256', (usual) => ({ ...usual, code_challenge_methods_supported: ['plain'] }), /S256/],
    [
      'metadata that is too long',
      (usual) => ({ ...usual, padding: 'x'.repeat(2_000_000) }),
      /sign-in metadata that is too long/,
    ],
  ];

  for (const [what, metadata, message] of hostile) {
    it(`does not proceed when the server sends ${what}`, () =>
      withServer(async ({ server, connector, launch, store }) => {
        server.faults.metadata = metadata;
        const opened: URL[] = [];
        const page: SignInPage = {
          show: (address) => Promise.resolve(void opened.push(address)).then(() => undefined),
        };
        await assert.rejects(connector.signIn(launch, page, signal), message);
        assert.deepEqual([opened, store.kept.size], [[], 0]);
      }));
  }

  it('sends a token only to the address of its server', () =>
    signedIn(async ({ connector, launch, server }) => {
      const elsewhere: RemoteLaunch = { ...launch, url: `${server.origin}/mcp?other` };
      await assert.rejects(connector.connect(elsewhere, quiet, signal), denied(/requires you to sign in/));
      const asAnother: RemoteLaunch = { ...launch, oauth: { clientId: 'another' } };
      await assert.rejects(connector.connect(asAnother, quiet, signal), denied(/requires you to sign in/));
    }));

  it('uses no stored sign-in that is damaged or names another server, and replaces it', () =>
    signedIn(async ({ connector, launch, server, store }) => {
      const [[name, text = ''] = ['']] = store.kept;
      for (const damaged of [text.replace(server.url, 'https://other.example/mcp'), text.slice(1), '{}']) {
        store.kept.set(name, damaged);
        await assert.rejects(connector.connect(launch, quiet, signal), /stored sign-in to \S+ \S+ is damaged/);
        await connector.signIn(launch, browser, signal);
        await (await connector.connect(launch, quiet, signal)).close();
      }
    }));

  it('sends a token to no other origin that a server or its responses name', () =>
    signedIn(async ({ launch, store }) => {
      const library = await import('../../../src/node/mcp/mcpLibrary');
      const sent: (string | null)[] = [];
      const recorded: Fetch = (_input, init) => {
        sent.push(new Headers(init?.headers).get('authorization'));
        return Promise.resolve(new Response('{}'));
      };
      const tokens = new ServerTokens({ launch, store, fetch: recorded, library });
      const send = signedInFetch(recorded, new URL(launch.url), tokens, {}, () => ({}));
      await send(launch.url);
      await send('https://elsewhere.example/mcp');
      assert.match(sent[0] ?? '', /^Bearer access-/);
      assert.deepEqual(sent.slice(1), [null]);
    }));

  it('follows no redirect', async () => {
    const asked: (string | undefined)[] = [];
    const server = createHttpServer((request, response) => {
      asked.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(typeof address === 'object' && address !== null);
    const url = new URL(`http://127.0.0.1:${address.port}/token`);
    assert.equal((await guardedFetch(fetch, url, signal)(url)).status, 302);
    assert.deepEqual(asked, ['/token']);
    server.closeAllConnections();
    server.close();
  });

  it('contacts no private network addresses, except for the server itself and names only a proxy knows', async () => {
    const asked: string[] = [];
    const fetch: Fetch = (input) => {
      asked.push(input instanceof Request ? input.url : input.toString());
      return Promise.resolve(new Response('{}'));
    };
    const names: Readonly<Record<string, string>> = {
      'inside.example': '10.0.0.7',
      'mcp.example': '10.0.0.8',
      'accounts.example': '93.184.215.14',
    };
    const resolve = (host: string) => {
      const address = names[host];
      return address === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve([{ address }]);
    };
    const guarded = guardedFetch(fetch, new URL('https://mcp.example/mcp'), signal, resolve);
    await assert.rejects(
      guarded('https://inside.example/token'),
      denied(/inside\.example, which is not on the internet/),
    );
    const allowed = [
      'https://mcp.example/token',
      'https://accounts.example/token',
      'https://behind-a-proxy.example/token',
    ];
    for (const one of allowed) await guarded(one);
    assert.deepEqual(asked, allowed);
  });

  it('never uses an unencrypted connection', () => {
    const check = (address: string, server: string) => () => mustBeSafe(new URL(address), new URL(server));
    assert.throws(check('http://mcp.example/', 'http://mcp.example/'), denied(/not encrypted/));
    assert.throws(check('http://127.0.0.1/', 'https://mcp.example/'), denied(/not encrypted/));
    assert.throws(check('https://localhost/', 'https://mcp.example/'), denied(/not on the internet/));
    assert.throws(check('https://[::1]/', 'https://mcp.example/'), denied(/not on the internet/));
    assert.throws(check('https://me:secret@accounts.example/', 'https://mcp.example/'), denied(/contains a password/));
    check('https://accounts.example/', 'https://mcp.example/')();
    check('https://10.0.0.5/authorize', 'https://10.0.0.5/mcp')();
    check('http://localhost:3000/', 'http://127.0.0.1:3000/')();
  });
});
