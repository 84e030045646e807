import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { AbortError } from '../../../src/base/abort';
import type { RemoteLaunch, SignInPage, SignInStore } from '../../../src/engine';
import { nodeMcpConnector } from '../../../src/node/mcp/nodeMcpConnector';
import { freePort } from '../../support/everythingServer';
import { browser, calling, denied, quiet, signal, signedIn, withServer } from './signInWorld';

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

  it('asks for more rights besides those it has, even if the server names only what is missing', () =>
    signedIn(async ({ server, connector, launch }) => {
      const link = await connector.connect(launch, quiet, signal);
      server.faults.refusesTokens = 'insufficient_scope';
      server.faults.wants = 'files';
      await assert.rejects(link.callTool('whoami', {}, calling), denied(/sign in again and allow more \(files\)/));
      delete server.faults.refusesTokens;
      await connector.signIn(launch, browser, signal);
      assert.equal(server.scopes.at(-1), 'tools files');
      await link.close();
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
});
