import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';
import type { Step } from '../../support/modelServer/story';

const read = (path: string, more: object = {}): Step => ({
  call: [{ name: 'fs_read', arguments: { path, ...more } }],
});
const files = { 'a.txt': 'heron', 'b.txt': 'wren', 'c.txt': 'crane' };

describe('A model that repeats the same call', () => {
  it('is warned the third time, and the call is not run', () =>
    withWorld(
      {
        files,
        story: [read('a.txt'), read('a.txt'), read('a.txt'), (request) => ({ say: request.lastText })],
      },
      async (world) => {
        const { outcome, events } = await world.play('read');
        assert.ok(outcome.kind === 'completed');
        assert.match(outcome.answer, /twice with the same arguments.*Do something else/);
        assert.equal(started(events), 2);
      },
    ));

  it('is also warned when it goes in circles, whatever the order of the arguments', () =>
    withWorld(
      {
        files,
        story: [
          ...[read('a.txt', { limit: 9 }), read('b.txt'), read('c.txt')],
          ...[{ call: [{ name: 'fs_read', arguments: '{"limit":9,"path":"a.txt"}' }] }, read('b.txt'), read('c.txt')],
          read('a.txt', { limit: 9 }),
          (request) => ({ say: request.lastText }),
        ],
      },
      async (world) => {
        const { outcome, events } = await world.play('read');
        assert.ok(outcome.kind === 'completed');
        assert.match(outcome.answer, /the same 3 calls came twice/);
        assert.equal(started(events), 6);
      },
    ));

  it('may do so while results change, and after a user message (P-7.4)', () => {
    const count = { call: [{ name: 'execute_command', arguments: { command: 'echo x >> n; wc -l < n' } }] };
    return withWorld(
      { files, story: [count, count, count, { say: 'Three.' }, read('a.txt'), read('a.txt'), { say: '.' }] },
      async (world) => {
        const { events } = await world.play('count');
        assert.equal(started(events), 3);
        await world.play('and read');
      },
    );
  });

  it('may do so after a user message in the middle of the run', () =>
    withWorld(
      { files, story: [read('a.txt'), read('a.txt'), read('a.txt'), { say: 'Read again.' }] },
      async (world) => {
        const handle = world.run('read');
        let reads = 0;
        handle.subscribe((event) => {
          if (event.type !== 'tool-finished') return;
          reads++;
          if (reads === 2) handle.send('once more');
        });
        assert.deepEqual(await handle.outcome, { kind: 'completed', answer: 'Read again.' });
        assert.equal(reads, 3);
        const told =
          world.server.requests.at(-1)?.messages.flatMap(({ results }) => results.map(({ text }) => text)) ?? [];
        assert.equal(told.filter((text) => /same arguments/.test(text)).length, 0);
      },
    ));

  it('and ignores the warning is stopped with a matching outcome', () =>
    withWorld({ files, story: [{ when: () => true, step: read('a.txt') }] }, async (world) => {
      const { outcome, events } = await world.play('read');
      assert.deepEqual(outcome, { kind: 'limit-reached', limit: 'repeats' });
      assert.equal(started(events), 2);
    }));

  it('is also stopped when no such tool exists', () =>
    withWorld({ story: [{ when: () => true, step: { call: [{ name: 'fly', arguments: {} }] } }] }, async (world) => {
      const { outcome } = await world.play('fly');
      assert.deepEqual(outcome, { kind: 'limit-reached', limit: 'repeats' });
    }));
});

function started(events: readonly AgentEvent[]): number {
  return events.filter(({ type }) => type === 'tool-started').length;
}
