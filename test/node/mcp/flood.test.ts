import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Deferred } from '../../../src/base/async';
import type { McpLaunch, McpLink } from '../../../src/engine';
import { nodeMcpConnector } from '../../../src/node/mcp/nodeMcpConnector';
import { OF_MESSAGES, PacedReader } from '../../../src/node/mcp/incoming/pacedReader';
import { repoRoot } from '../../editor/repoRoot';
import { until } from '../../editor/until';
import { memorySignIns } from '../../support/memorySignIns';
import { type Way, withOddServer } from '../../support/oddMcpServer';

const { signal } = new AbortController();
const ANSWER = '{"jsonrpc":"2.0","id":ID,"result":{"content":[]}}';
const PROGRESS = '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":ID,"progress":1}}';
const CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
const LOGGED = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"low tide"}}';
const FLOODS = {
  'progress reports': PROGRESS,
  'changes of its tools': CHANGED,
  'log messages': LOGGED,
  'unknown notifications': '{"jsonrpc":"2.0","method":"notifications/odd"}',
  requests: '{"jsonrpc":"2.0","id":"a","method":"ping"}',
  'answers that nobody asked for': '{"jsonrpc":"2.0","id":999999,"result":{}}',
  garbage: 'low tide',
};
const STOPPED = 'It was stopped, because it sent more than 20,000 messages within a minute that nobody asked for.';

/** Answers like any other, and from its first call on only prints. */
const PRINTS_ERRORS: McpLaunch = {
  type: 'stdio',
  command: process.execPath,
  args: [
    '-e',
    `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      while (method === 'tools/call') process.stderr.write('low tide\\n'.repeat(10_000));
      const about = { protocolVersion: params?.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: about }));
    })`,
  ],
  cwd: repoRoot,
  env: {},
};

interface Heard {
  said: string[];
  progress: string[];
  changes: number;
  ended: Deferred<string>;
}

const connected = async (launch: McpLaunch, use: (link: McpLink, heard: Heard) => Promise<void>) => {
  const heard: Heard = { said: [], progress: [], changes: 0, ended: new Deferred() };
  const link = await nodeMcpConnector({ env: process.env, fetch, signIns: memorySignIns() }).connect(
    launch,
    {
      ...{ timeoutMs: 30_000, secrets: [] },
      onSaid: (_, line) => heard.said.push(line),
      onEnd: ({ why }) => heard.ended.resolve(why),
      onListsChanged: () => heard.changes++,
    },
    signal,
  );
  await use(link, heard).finally(() => link.close());
};
const call = (link: McpLink, heard: Heard, at?: number, stop = signal) =>
  link.callTool('echo', at === undefined ? {} : { at }, {
    ...{ signal: stop, timeoutMs: 600_000 },
    onProgress: (text) => heard.progress.push(text),
  });

describe('An MCP server that sends far too much', function () {
  this.timeout(60_000);

  const flooded = (way: Way, message: string) =>
    withOddServer(way, [`60000*${message}`, ANSWER], (launch) =>
      connected(launch, async (link, heard) => {
        await assert.rejects(call(link, heard), { message: STOPPED });
        assert.equal(await heard.ended.promise, STOPPED);
        assert.ok(heard.said.includes(STOPPED));
        assert.ok(heard.said.length < 10_000, `${heard.said.length} lines in the log`);
        assert.ok(heard.progress.length < 1000 && heard.changes < 1000);
      }),
    );

  for (const [what, message] of Object.entries(FLOODS))
    it(`is stopped, with the reason: ${what}`, () => flooded('stdio', message));

  for (const way of ['stream', 'sse'] as const)
    it(`is stopped when it is reached by URL (${way})`, () => flooded(way, LOGGED));

  it('delays no call of another server while it prints errors without end', () =>
    withOddServer('stdio', [ANSWER], (other) =>
      connected(PRINTS_ERRORS, async (link, heard) => {
        const over = new AbortController();
        const open = call(link, heard, undefined, over.signal);
        const lines = () => heard.said.length;
        await until('the flood', () => lines() > 0);
        await connected(other, async (quiet, { said }) => {
          for (let count = 0; count < 20; count++) assert.deepEqual(await call(quiet, heard), { content: [] });
          assert.deepEqual(said, []);
        });
        const before = lines();
        await until('more of the flood', () => lines() > before);
        over.abort();
        await assert.rejects(open);
      }),
    ));

  for (const way of ['stdio', 'stream', 'sse'] as const)
    it(`delays no call of another server while it sends messages (${way})`, () =>
      withOddServer('json', [ANSWER], (other) =>
        withOddServer(way, [`19000*${LOGGED}`, ANSWER], (launch) =>
          connected(other, (quiet, theirs) =>
            connected(launch, async (link, heard) => {
              const flood = { isOver: false };
              const open = call(link, heard).finally(() => (flood.isOver = true));
              let answered = 0;
              while (!flood.isOver) {
                const hadBegun = heard.said.length > 0;
                await call(quiet, theirs);
                if (hadBegun) answered++;
              }
              await open;
              // Each takes a few turns of the event loop. If the flood is not read in portions, it is over after one or two.
              assert.ok(answered > 5, `${answered} calls were answered`);
            }),
          ),
        ),
      ));

  it('within reason is not stopped, and the log and the progress stay readable', () =>
    withOddServer('stdio', [`900*${LOGGED}\n${CHANGED}\n${PROGRESS}`, PROGRESS.replace('1}', '2}'), ANSWER], (launch) =>
      connected(launch, async (link, heard) => {
        const over = new AbortController();
        const open = call(link, heard, 0, over.signal);
        const shown = () => heard.said.filter((line) => line === 'info: low tide').length;
        const leftOut = () => heard.said.map((line) => Number(/^\((\d+) more lines? within/.exec(line)?.[1] ?? 0));
        await until('all lines, or their number', () => leftOut().reduce((sum, one) => sum + one, shown()) === 900);
        assert.ok(shown() < 900, `${shown()} lines shown`);
        assert.ok(heard.progress.length < 20, `${heard.progress.length} reports`);
        assert.ok(heard.changes < 20, `${heard.changes} changes`);
        over.abort();
        await assert.rejects(open);
        assert.deepEqual(await call(link, heard, 2), { content: [] });
      }),
    ));

  it('shows its latest progress', () =>
    withOddServer('sse', [`900*${PROGRESS}`, PROGRESS.replace('1}', '2}')], (launch) =>
      connected(launch, async (link, heard) => {
        const over = new AbortController();
        const open = call(link, heard, undefined, over.signal);
        await until('the latest progress', () => heard.progress.at(-1) === '2');
        assert.ok(heard.progress.length < 20, `${heard.progress.length} reports`);
        over.abort();
        await assert.rejects(open);
      }),
    ));
});

describe('What an MCP server prints without end', () => {
  it('is read in portions, between which everything else goes on', async () => {
    let length = 0;
    const stream = new Readable({
      read() {
        this.push('x'.repeat(60_000));
      },
    });
    const begun = new Deferred<undefined>();
    new PacedReader(stream, (text) => {
      length += text.length;
      begun.resolve(undefined);
    });
    await begun.promise;
    await setImmediate();
    assert.ok(length < 500_000, `${length} characters at once`);
    const first = length;
    await until('the next portion', () => length > first);
    stream.destroy();
  });

  it('is read in small portions if it is messages, without waiting in between', async () => {
    let length = 0;
    const stream = new Readable({
      read() {
        this.push('x'.repeat(30_000));
      },
    });
    new PacedReader(stream, (text) => (length += text.length), OF_MESSAGES);
    for (let turns = 1; turns < 20; turns++) {
      const before = length;
      await setImmediate();
      assert.ok(length - before <= 150_000, `${length - before} characters in a turn`);
    }
    assert.ok(length > 200_000, `${length} characters in 20 turns`);
    stream.destroy();
  });

  it('is read to its end once the server has ended', async () => {
    let text = '';
    const reader = new PacedReader(
      Readable.from(['a'.repeat(300_000), 'b'.repeat(300_000), 'c']),
      (more) => (text += more),
    );
    await until('the first portion', () => text !== '');
    reader.finish();
    await until('the rest', () => text.endsWith('c'));
    assert.equal(text.length, 600_001);
  });
});
