import assert from 'node:assert/strict';
import { Deferred } from '../../../src/base/async';
import type { McpLaunch, McpLink } from '../../../src/engine';
import { nodeMcpConnector } from '../../../src/node/mcp/nodeMcpConnector';
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
