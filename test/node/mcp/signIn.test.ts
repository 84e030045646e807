import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { AbortError } from '../../../src/base/abort';
import { EngineError, type Fetch, type RemoteLaunch, type SignInPage, type SignInStore } from '../../../src/engine';
import { nodeMcpConnector } from '../../../src/node/mcp/nodeMcpConnector';
import { guardedFetch, mustBeSafe } from '../../../src/node/mcp/signIn/guardedFetch';
import { ServerTokens, signedInFetch } from '../../../src/node/mcp/signIn/serverTokens';
import { freePort } from '../../support/everythingServer';
import { memorySignIns } from '../../support/memorySignIns';
import { ProtectedMcpServer } from '../../support/protectedMcpServer';

const { signal } = new AbortController();
const quiet = {
  timeoutMs: 30_000,
  secrets: [],
  onSaid: () => undefined,
  onEnd: () => undefined,
  onListsChanged: () => undefined,
};
const calling = { signal, timeoutMs: 20_000, onProgress: () => undefined };

/** A browser in which the user signs in at once. Whoever listens at the final address receives it. */
const browser: SignInPage = {
  async show(address) {
    await fetch(address);
    return undefined;
  },
};

interface World {
  server: ProtectedMcpServer;
  launch: RemoteLaunch;
  store: ReturnType<typeof memorySignIns>;
  connector: ReturnType<typeof nodeMcpConnector>;
}

async function withServer(use: (world: World) => Promise<void>): Promise<void> {
  const server = await ProtectedMcpServer.start();
  const store = memorySignIns();
  const connector = nodeMcpConnector({ env: process.env, fetch, signIns: store });
  try {
    await use({ server, store, connector, launch: { type: 'http', url: server.url, headers: {} } });
  } finally {
    await server.stop();
  }
}

const signedIn = (use: (world: World) => Promise<void>) =>
  withServer(async (world) => {
    await world.connector.signIn(world.launch, browser, signal);
    await use(world);
  });

const denied = (message: RegExp) => (error: unknown) => EngineError.is(error, 'denied') && message.test(error.message);

describe('Signing in to an MCP server', () => {
  it('is requested by the server, done in the browser, and saved for the next connection', () =>
    withServer(async ({ server, connector, launch, store }) => {
      await assert.rejects(connector.connect(launch, quiet, signal), denied(/requires you to sign in/));
      await connector.signIn(launch, browser, signal);
      assert.ok([...store.kept.values()].join().includes(`"resource":"${server.url}"`));
      const link = await connector.connect(launch, quiet, signal);
      const told = JSON.stringify(await link.callTool('whoami', {}, calling));
      const [, token = ''] = /Bearer (access-[\w-]+)/.exec(told) ?? [];
      assert.ok(store.hidden.has(token), 'its token is struck out wherever it comes up');
      await link.close();
      store.hidden.clear();
      await (await connector.connect(launch, quiet, signal)).close();
      assert.ok(store.hidden.has(token), 'also when it was stored by another process');
      assert.match(JSON.stringify(server.registered), /"client_name":"Cairn"/);
      assert.equal(await connector.signOut(launch), true);
      assert.equal(await connector.signOut(launch), false);
      await assert.rejects(connector.connect(launch, quiet, signal), denied(/requires you to sign in/));
    }));

  it('notifies the sign-in page when it is no longer needed', () =>
    withServer(async ({ connector, launch }) => {
      const shown: AbortSignal[] = [];
      const page: SignInPage = {
        show(address, until) {
          shown.push(until);
          return browser.show(address, until);
        },
      };
      await connector.signIn(launch, page, signal);
      assert.deepEqual(
        shown.map(({ aborted }) => aborted),
        [true],
      );
    }));

  it('is saved, renewed and removed only under a lock shared by all windows', () =>
    withServer(async ({ server, launch, store }) => {
      const writes: string[] = [];
      let turn = 'out of turn';
      const signIns: SignInStore = {
        ...store,
        exclusively: (name, work) =>
          store.exclusively(name, async () => {
            turn = 'in turn';
            return work().finally(() => (turn = 'out of turn'));
          }),
        set(name, value) {
          writes.push(turn);
          return store.set(name, value);
        },
      };
      const connector = nodeMcpConnector({ env: process.env, fetch, signIns });
      await connector.signIn(launch, browser, signal);
      const link = await connector.connect(launch, quiet, signal);
      server.expireTokens();
      await link.callTool('whoami', {}, calling);
      await link.close();
      await connector.signOut(launch);
      assert.deepEqual(writes, ['in turn', 'in turn', 'in turn']);
    }));

  it('uses what a refused request asks for, even if the server accepts the connection', () =>
    withServer(async ({ server, connector, launch }) => {
      server.faults.greets = true;
      await assert.rejects(connector.connect(launch, quiet, signal), denied(/requires you to sign in/));
      await connector.signIn(launch, browser, signal);
      assert.deepEqual(server.scopes, ['tools']);
      const link = await connector.connect(launch, quiet, signal);
      assert.match(JSON.stringify(await link.callTool('whoami', {}, calling)), /You are known by Bearer access-/);
      await link.close();
    }));

  it('asks for the rights that the server names, or else for those in its configuration', () =>
    withServer(async ({ server, connector, launch }) => {
      server.faults.wants = 'tools files';
      await connector.signIn(launch, browser, signal);
      await connector.signIn({ ...launch, oauth: { scope: 'files' } }, browser, signal);
      assert.deepEqual(server.scopes, ['tools files', 'files']);
    }));

  it('asks for more rights once a call needs them', () =>
    signedIn(async ({ server, connector, launch }) => {
      const link = await connector.connect(launch, quiet, signal);
      server.faults.refusesTokens = 'insufficient_scope';
      server.faults.wants = 'tools files';
      await assert.rejects(
        link.callTool('whoami', {}, calling),
        denied(/requires you to sign in again and allow more \(tools files\)/),
      );
      delete server.faults.refusesTokens;
      delete server.faults.wants;
      await connector.signIn(launch, browser, signal);
      assert.deepEqual(server.scopes.at(-1), 'tools files');
      await link.callTool('whoami', {}, calling);
      await link.close();
    }));

  it('is required again if the server refuses a renewed token as well', () =>
    signedIn(async ({ server, connector, launch }) => {
      const link = await connector.connect(launch, quiet, signal);
      server.faults.refusesTokens = 'invalid_token';
      await assert.rejects(link.callTool('whoami', {}, calling), denied(/requires you to sign in/));
      assert.equal(server.renewals, 1);
      await link.close();
    }));

  it('registers once, and uses the same client and address the next time', () =>
    signedIn(async ({ server, connector, launch }) => {
      await connector.signIn(launch, browser, signal);
      assert.equal(server.registered.length, 1);
    }));

  it('renews a token once, however many calls find it expired, and loses none of them', () =>
    signedIn(async ({ server, connector, launch }) => {
      const other = await connector.connect(launch, quiet, signal);
      const link = await connector.connect(launch, quiet, signal);
      server.expireTokens();
      const calls = Array.from({ length: 10 }, (_, index) =>
        (index % 2 ? link : other).callTool('whoami', {}, calling),
      );
      for (const told of await Promise.all(calls))
        assert.match(JSON.stringify(told), /You are known by Bearer access-/);
      assert.deepEqual([server.renewals, server.reuses], [1, 0]);
      await link.close();
      await other.close();
    }));

  it('is required again after the server revokes it, and not while the server is down', () =>
    signedIn(async ({ server, connector, launch, store }) => {
      const link = await connector.connect(launch, quiet, signal);
      server.faults.metadata = () => '';
      server.expireTokens();
      await assert.rejects(link.callTool('whoami', {}, calling), /could not be renewed by 127\.0\.0\.1/);
      assert.match([...store.kept.values()].join(''), /refresh-/);
      delete server.faults.metadata;
      await link.callTool('whoami', {}, calling);
      server.forgetSignIns();
      await assert.rejects(link.callTool('whoami', {}, calling), denied(/requires you to sign in/));
      assert.doesNotMatch([...store.kept.values()].join(''), /refresh-/);
      await connector.signIn(launch, browser, signal);
      await link.callTool('whoami', {}, calling);
      await link.close();
    }));

  it('fails with the user’s or the server’s reason, and saves nothing then', () =>
    withServer(async ({ server, connector, launch, store }) => {
      const declines: SignInPage = { show: () => Promise.reject(new AbortError()) };
      await assert.rejects(connector.signIn(launch, declines, signal), AbortError);
      const stop = new AbortController();
      const stopped: SignInPage = {
        show: () => {
          stop.abort();
          return Promise.resolve(undefined);
        },
      };
      await assert.rejects(connector.signIn(launch, stopped, stop.signal), AbortError);
      server.faults.refuses = true;
      await assert.rejects(connector.signIn(launch, browser, signal), denied(/refused: access_denied/));
      assert.equal(store.kept.size, 0);
    }));

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

  it('reports briefly why a server refuses registration', () =>
    withServer(async ({ server, connector, launch }) => {
      server.faults.metadata = (usual) => ({ ...usual, registration_endpoint: `${server.origin}/elsewhere` });
      await assert.rejects(
        connector.signIn(launch, browser, signal),
        denied(/does not let Cairn register for signing in \(HTTP 404\): \{\}/),
      );
    }));

  it('returns to exactly the registered redirect address', () =>
    withServer(async ({ connector, launch, store }) => {
      const port = await freePort();
      const redirectUri = `http://localhost:${port}/mcp/oauth/callback`;
      const registered: RemoteLaunch = { ...launch, oauth: { clientId: 'known', redirectUri } };
      const seen: (string | null)[] = [];
      const page: SignInPage = {
        show: (address, until) => {
          seen.push(address.searchParams.get('redirect_uri'));
          return browser.show(address, until);
        },
      };
      await connector.signIn(registered, page, signal);
      assert.deepEqual(seen, [redirectUri]);
      assert.match([...store.kept.values()].join(''), /"client_id":"known"/);
      assert.doesNotMatch([...store.kept.values()].join(''), /client_secret/);
      const taken = createServer().listen(port, '127.0.0.1');
      await once(taken, 'listening');
      await assert.rejects(connector.signIn(registered, page, signal), /cannot listen at localhost:\d+/);
      taken.close();
      const elsewhere: RemoteLaunch = {
        ...launch,
        oauth: { clientId: 'known', redirectUri: 'https://theirs.example/' },
      };
      await assert.rejects(
        connector.signIn(elsewhere, page, signal),
        /https:\/\/theirs\.example\/, which does not lead back to Cairn/,
      );
    }));

  it('prefers a client metadata document where the server supports it', () =>
    withServer(async ({ server, connector, launch, store }) => {
      const clientMetadataUrl = 'https://team.example/cairn/client.json';
      const described: RemoteLaunch = { ...launch, oauth: { clientId: 'known', clientMetadataUrl } };
      const seen: (string | null)[] = [];
      const page: SignInPage = {
        show: (address, until) => {
          seen.push(address.searchParams.get('client_id'));
          return browser.show(address, until);
        },
      };
      await connector.signIn(described, page, signal);
      server.faults.metadata = (usual) => ({ ...usual, client_id_metadata_document_supported: true });
      await connector.signIn(described, page, signal);
      assert.deepEqual(seen, ['known', clientMetadataUrl]);
      assert.match([...store.kept.values()].join(''), /"client_id":"https:\/\/team\.example\/cairn\/client\.json"/);
      server.expireTokens();
      const link = await connector.connect(described, quiet, signal);
      assert.match(JSON.stringify(await link.callTool('whoami', {}, calling)), /You are known by Bearer access-/);
      await link.close();
      await connector.signIn({ ...launch, oauth: { clientMetadataUrl } }, page, signal);
      assert.deepEqual([seen.at(-1), server.registered], [clientMetadataUrl, []]);
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
