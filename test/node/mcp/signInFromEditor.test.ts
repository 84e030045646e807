import assert from 'node:assert/strict';
import { EngineError, type RemoteLaunch, type SignInPage } from '../../../src/engine';
import { nodeMcpConnector } from '../../../src/node/mcp/nodeMcpConnector';
import type { EditorAddress, TakeAddress } from '../../../src/node/mcp/signIn/returnAddress';
import { freePort } from '../../support/everythingServer';
import { memorySignIns } from '../../support/memorySignIns';
import { ProtectedMcpServer } from '../../support/protectedMcpServer';

const { signal } = new AbortController();
const OWN = 'vscode://cairn-agents.cairn/mcp/sign-in?windowId=7';

/** An editor on a different machine than the browser. URIs opened there arrive in `opened`. */
class Editor implements EditorAddress {
  readonly refusals: string[] = [];
  private readonly takers = new Set<TakeAddress>();

  open(): ReturnType<EditorAddress['open']> {
    let own: TakeAddress | undefined;
    return Promise.resolve({
      url: OWN,
      path: '/mcp/sign-in',
      listen: (take: TakeAddress) => {
        own = take;
        this.takers.add(take);
      },
      close: () => {
        if (own) this.takers.delete(own);
        return Promise.resolve();
      },
    });
  }

  onRefused(why: string): void {
    this.refusals.push(why);
  }

  get waiting(): number {
    return this.takers.size;
  }

  /** What the user is told; undefined if no sign-in recognizes the URI. */
  opened(query: string, path = '/mcp/sign-in'): string | undefined {
    return [...this.takers].map((take) => take(`${path}?${query}`)).find((said) => said !== undefined);
  }
}

interface World {
  server: ProtectedMcpServer;
  editor: Editor;
  store: ReturnType<typeof memorySignIns>;
  /** Performs the sign-in in the user's browser, at the address that the server sends it to. */
  signIn: (browser: (back: URL, address: URL) => unknown, oauth?: RemoteLaunch['oauth']) => Promise<void>;
}

async function inEditor(use: (world: World) => Promise<void>): Promise<void> {
  const server = await ProtectedMcpServer.start();
  const [store, editor] = [memorySignIns(), new Editor()];
  const connector = nodeMcpConnector({ env: process.env, fetch, signIns: store, editorAddress: editor });
  const launch: RemoteLaunch = { type: 'http', url: server.url, headers: {} };
  const signIn: World['signIn'] = (browser, oauth) => {
    const page: SignInPage = {
      async show(address) {
        const { headers } = await fetch(address, { redirect: 'manual' });
        await browser(new URL(headers.get('location') ?? ''), address);
        return undefined;
      },
    };
    return connector.signIn({ ...launch, ...(oauth && { oauth }) }, page, signal);
  };
  try {
    await use({ server, editor, store, signIn });
  } finally {
    await server.stop();
  }
}

describe('Signing in to an MCP server from an editor on another machine', () => {
  it('returns to an address of the editor, once', () =>
    inEditor(async ({ server, editor, store, signIn }) => {
      let again: string | undefined = 'not opened yet';
      await signIn((back) => {
        assert.equal(back.protocol, 'vscode:');
        assert.match(editor.opened(back.search.slice(1)) ?? '', /You are signed in/);
        again = editor.opened(back.search.slice(1));
      });
      assert.equal(again, undefined, 'nobody waits for what was taken before');
      assert.match(JSON.stringify(server.registered), /"redirect_uris":\["vscode:/);
      assert.deepEqual([store.kept.size, editor.waiting, editor.refusals], [1, 0, []]);
    }));

  it('returns to an address of the editor unless the client is known to the server', () =>
    inEditor(async ({ editor, signIn }) => {
      const protocols: string[] = [];
      const returns = (back: URL) => {
        protocols.push(back.protocol);
        return back.protocol === 'http:' ? fetch(back) : editor.opened(back.search.slice(1));
      };
      for (const oauth of [
        { scope: 'tools' },
        { clientId: 'known' },
        { callbackPort: await freePort() },
        { clientMetadataUrl: 'https://cairn.example/client.json' },
      ])
        await signIn(returns, oauth);
      assert.deepEqual(protocols, ['vscode:', 'http:', 'http:', 'http:']);
    }));

  it('ignores forged responses from a page', () =>
    inEditor(async ({ editor, signIn }) => {
      await signIn((back) => {
        const state = back.searchParams.get('state') ?? '';
        const right = back.search.slice(1);
        const forged: [query: string, path?: string][] = [
          ['code=stolen'],
          ['code=stolen&state='],
          ['code=stolen&state=guessed'],
          [`code=stolen&state=${state.slice(0, -1)}`],
          [`code=stolen&state=${state}x`],
          [`state=${state}`],
          [`code=stolen&code=other&state=${state}`],
          [`code=stolen&state=guessed&state=${state}`],
          [`${right}&padding=${'x'.repeat(9000)}`],
          [right, '/mcp/sign-in/more'],
          [right, '/'],
        ];
        for (const [query, path] of forged) assert.equal(editor.opened(query, path), undefined, query.slice(0, 80));
        editor.opened(right);
      });
    }));

  it('distinguishes two sign-ins that wait at the same time', () =>
    inEditor(async ({ editor, store, signIn }) => {
      const backs: URL[] = [];
      const both = Promise.all(
        [1, 2].map(() =>
          signIn((back) => {
            backs.push(back);
            if (backs.length < 2) return;
            const [first, second] = backs.map(({ search }) => search.slice(1));
            for (const query of [second, first]) assert.match(editor.opened(query ?? '') ?? '', /signed in/);
          }),
        ),
      );
      await both;
      assert.deepEqual([store.kept.size, editor.waiting], [1, 0]);
    }));

  it('fails when another server answers, and ignores later responses', () =>
    inEditor(async ({ server, editor, store, signIn }) => {
      server.faults.answersAs = 'https://other.example';
      const answered = signIn((back) => editor.opened(back.search.slice(1)));
      await assert.rejects(
        answered,
        (error) => EngineError.is(error, 'denied') && /other\.example/.test(error.message),
      );
      assert.deepEqual([store.kept.size, editor.waiting], [0, 0]);
    }));

  it('falls back to a local address if the server does not accept the editor’s, and says why', () =>
    inEditor(async ({ server, editor, store, signIn }) => {
      server.faults.wantsWeb = true;
      await signIn((back) => fetch(back));
      assert.match(
        editor.refusals.join(),
        /does not let Cairn register for signing in \(HTTP 400\): .*invalid_redirect_uri/,
      );
      assert.match(JSON.stringify(server.registered), /"redirect_uris":\["http:\/\/127\.0\.0\.1:\d+\/signed-in"\]/);
      assert.deepEqual([store.kept.size, editor.waiting], [1, 0]);
    }));
});
