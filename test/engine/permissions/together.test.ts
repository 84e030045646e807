import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Deferred } from '../../../src/base/async';
import type { ApprovalAnswer, ApprovalRequest } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';
import { neverAnswered } from '../../support/neverAnswered';

const write = (path: string, contents: string) => ({ name: 'fs_write', arguments: { path, contents } });

/** Answers each of two questions only once both have been asked. */
function answersTogether(answerOf: (request: ApprovalRequest) => ApprovalAnswer) {
  const asked: ApprovalRequest[] = [];
  const both = new Deferred<void>();
  const approve = async (request: ApprovalRequest) => {
    asked.push(request);
    if (asked.length === 2) both.resolve();
    await both.promise;
    return answerOf(request);
  };
  return { asked, approve };
}

describe('Edits of one reply', () => {
  it('are put to the user at the same time and decided individually', () => {
    const { asked, approve } = answersTogether(({ change }) =>
      change?.relativePath === 'a.txt' ? { kind: 'once' } : { kind: 'reject', by: 'person', reason: 'not b' },
    );
    return withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve,
        story: [{ call: [write('a.txt', 'a'), write('b.txt', 'b')] }, (request) => ({ say: request.lastText })],
      },
      async (world) => {
        const { outcome } = await world.play('write both');
        const ids = asked.map(({ callId }) => callId);
        assert.deepEqual(
          asked.map(({ together }) => together),
          [ids, ids],
          'each names both',
        );
        assert.deepEqual(
          asked.map(({ usual }) => usual),
          [true, true],
          'the mode asks, and nothing else',
        );
        assert.equal(await world.read('a.txt'), 'a');
        await assert.rejects(world.read('b.txt'));
        assert.ok('answer' in outcome && outcome.answer.includes('not b'));
      },
    );
  });

  it('covered by an “always” answer are no longer asked about', () => {
    const asked: string[] = [];
    const takenBack: string[] = [];
    return withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: (request, signal) => {
          asked.push(request.title);
          const offer = request.offers.find(({ label }) => label.startsWith('all edits'));
          if (asked.length === 1 && offer) return { kind: 'always', offer };
          return new Promise((_, reject) => {
            const end = () => {
              takenBack.push(request.change?.relativePath ?? '');
              reject(new Error('taken back'));
            };
            signal.addEventListener('abort', end, { once: true });
          });
        },
        story: [{ call: [write('a.txt', 'a'), write('b.txt', 'b'), write('c.txt', 'c')] }, { say: 'Done.' }],
      },
      async (world) => {
        const { outcome, events } = await world.play('write all');
        assert.equal(outcome.kind, 'completed');
        const answers = events.flatMap((event) => (event.type === 'approval-answered' ? [event.answer.kind] : []));
        assert.deepEqual(answers, ['always', 'once', 'once'], 'who shows the questions hears of the end of each');
        assert.deepEqual(await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => world.read(name))), [
          'a',
          'b',
          'c',
        ]);
        assert.deepEqual(takenBack.sort(), ['b.txt', 'c.txt'], 'no card stays that nobody needs to answer');
      },
    );
  });

  it('not covered by an earlier answer are covered by a later “always” answer', () => {
    const asked: string[] = [];
    const written = new Deferred<void>();
    const third = new Deferred<void>();
    return withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: async (request, signal) => {
          const name = request.change?.relativePath ?? '';
          asked.push(name);
          if (asked.length === 3) third.resolve();
          await third.promise;
          if (name === 'a.txt') return { kind: 'once' };
          const offer = request.offers.find(({ label }) => label.startsWith('all edits'));
          if (name === 'b.txt' && offer) {
            await written.promise;
            return { kind: 'always', offer };
          }
          return neverAnswered(signal);
        },
        story: [{ call: [write('a.txt', 'a'), write('b.txt', 'b'), write('c.txt', 'c')] }, { say: 'Done.' }],
      },
      async (world) => {
        const handle = world.run('write all');
        handle.subscribe((event) => {
          if (event.type === 'approval-answered') written.resolve();
        });
        assert.equal((await handle.outcome).kind, 'completed');
        assert.deepEqual(asked, ['a.txt', 'b.txt', 'c.txt']);
        assert.equal(await world.read('c.txt'), 'c');
      },
    );
  });

  it('are still asked about when an “always” answer to one of them cannot be saved', () => {
    const [broken, told] = [new Deferred<void>(), new Deferred<void>()];
    return withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: async ({ change, offers }) => {
          const offer = offers.find(({ scope }) => scope === 'user');
          await (change?.relativePath === 'a.txt' ? broken : told).promise;
          if (change?.relativePath === 'a.txt' && offer) return { kind: 'always', offer };
          return change?.relativePath === 'b.txt' ? { kind: 'once' } : { kind: 'reject', by: 'person' };
        },
        story: [{ call: [write('a.txt', 'a'), write('b.txt', 'b'), write('c.txt', 'c')] }, { say: 'Done.' }],
      },
      async (world) => {
        const handle = world.run('write all');
        const notices: string[] = [];
        let asked = 0;
        handle.subscribe((event) => {
          if (event.type === 'approval-requested' && ++asked === 3)
            void mkdir(world.configFolder, { recursive: true })
              .then(() => writeFile(join(world.configFolder, 'permissions.json'), '{ oops'))
              .then(() => broken.resolve());
          if (event.type === 'notice') notices.push(event.text);
          if (event.type === 'notice' || event.type === 'tool-finished') told.resolve();
        });
        await handle.outcome;
        assert.match(notices.join('\n'), /could not be saved.*permissions\.json:1: not JSON/s);
        assert.deepEqual([await world.read('a.txt'), await world.read('b.txt')], ['a', 'b']);
        await assert.rejects(world.read('c.txt'), /ENOENT/);
      },
    );
  });

  it('that cannot be asked about are not made, and the run still ends', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: ({ change }) => {
          if (change?.relativePath === 'a.txt') throw new Error('No window is left.');
          return { kind: 'once' };
        },
        story: [{ call: [write('a.txt', 'a'), write('b.txt', 'b')] }, (request) => ({ say: request.lastText })],
      },
      async (world) => {
        await world.play('write both');
        await assert.rejects(world.read('a.txt'));
      },
    ));

  it('to the same file wait for each other, since the second builds on the first', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        files: { 'a.txt': 'one\n' },
        approve: ({ together }) => {
          assert.equal(together.length, 1);
          return { kind: 'once' };
        },
        story: [
          {
            call: [
              { name: 'fs_edit', arguments: { path: 'a.txt', old_string: 'one', new_string: 'two' } },
              { name: 'fs_edit', arguments: { path: 'a.txt', old_string: 'two', new_string: 'three' } },
            ],
          },
          { say: 'Done.' },
        ],
      },
      async (world) => {
        assert.equal((await world.play('edit twice')).outcome.kind, 'completed');
        assert.equal(await world.read('a.txt'), 'three\n');
      },
    ));

  it('are asked about even if one of them cannot be made', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        story: [
          {
            call: [
              { name: 'fs_edit', arguments: { path: 'missing.txt', old_string: 'a', new_string: 'b' } },
              write('b.txt', 'b'),
            ],
          },
          (request) => ({ say: request.lastText }),
        ],
      },
      async (world) => {
        await world.play('edit');
        assert.equal(await world.read('b.txt'), 'b');
        assert.match(JSON.stringify(world.server.requests.at(-1)?.messages), /missing\.txt/);
      },
    ));

  it('end when the run is cancelled while they wait', () =>
    withWorld(
      {
        approvalMode: 'edits-and-commands',
        approve: (_request, signal) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')), { once: true });
          }),
        story: [{ call: [write('a.txt', 'a'), write('b.txt', 'b')] }, { say: 'Never.' }],
      },
      async (world) => {
        const handle = world.run('write both');
        let waiting = 0;
        handle.subscribe(({ type }) => {
          if (type === 'approval-requested' && ++waiting === 2) handle.cancel();
        });
        assert.equal((await handle.outcome).kind, 'cancelled');
        await assert.rejects(world.read('a.txt'));
      },
    ));
});
