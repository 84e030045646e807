import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LayoutThread } from '../../../src/host/graphs/layout/layoutThread';
import { repoRoot } from '../../editor/repoRoot';

const WORKER = join(repoRoot, 'dist', 'graphLayout.js');

function chain(...nodes: string[]) {
  const ways = nodes.slice(1).map((to, at) => ({ from: nodes[at] ?? '', to, kind: 'next' as const }));
  return { shape: { start: nodes[0] ?? '', nodes, ways }, opened: [] };
}

describe('The layout thread', () => {
  const open: LayoutThread[] = [];
  const begin = (file: string, timeLimitMs?: number) => {
    const thread = new LayoutThread(file, timeLimitMs);
    open.push(thread);
    return thread;
  };
  afterEach(() => {
    for (const one of open.splice(0)) one.dispose();
  });

  it('answers only the latest of several requests', async () => {
    const thread = begin(WORKER);
    const answers = await Promise.all(
      [chain('a', 'b'), chain('a', 'b', 'c'), chain('x', 'y', 'z', 'w')].map((question) => thread.layout(question)),
    );
    assert.deepEqual(
      answers.map((drawing) => drawing?.boxes.map(({ id }) => id)),
      [undefined, undefined, ['x', 'y', 'z', 'w']],
    );
    assert.equal((await thread.layout(chain('again')))?.boxes.length, 1);
  });

  it('reports when it takes too long, and restarts with the next request', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cairn-layout-'));
    try {
      const file = join(folder, 'stuck.cjs');
      const stuck = `require('node:worker_threads').parentPort.on('message', ({ shape }) => {
        if (shape.start === 'stuck') for (;;);
        if (shape.start === 'broken') throw new Error('It fell apart.');
        if (shape.start === 'gone') process.exit(0);
        require('node:worker_threads').parentPort.postMessage({ drawing: { width: 1, height: 1, boxes: [], lines: [] } });
      });`;
      await writeFile(file, stuck);
      const thread = begin(file, 2000);
      await assert.rejects(thread.layout(chain('stuck')), /could not be drawn. It took too long/);
      await assert.rejects(thread.layout(chain('broken')), /It fell apart/);
      await assert.rejects(thread.layout(chain('gone')), /Its thread ended/);
      assert.equal((await thread.layout(chain('fine')))?.width, 1);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('leaves no request pending when disposed', async () => {
    const thread = begin(WORKER);
    const answers = [thread.layout(chain('a')), thread.layout(chain('b'))];
    thread.dispose();
    assert.deepEqual(await Promise.all([...answers, thread.layout(chain('c'))]), [undefined, undefined, undefined]);
  });
});
