import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Deferred } from '../../../src/base/async';
import type { AgentHandle, PluginTool } from '../../../src/engine';
import { nodeFileSystem } from '../../../src/node/nodeFileSystem';
import { type EngineWorld, type Played, withWorld } from '../../support/engineWorld';
import { neverAnswered } from '../../support/neverAnswered';

const edit = {
  call: [{ name: 'fs_edit', arguments: { path: 'src/a.txt', old_string: 'ours', new_string: 'mine' } }],
};
const files = { 'src/a.txt': 'ours\n' };
const results = ({ events }: Played) => events.flatMap((one) => (one.type === 'tool-finished' ? [one.result] : []));

/** Simulates a concurrent change of the file: every call that would change it waits until `end`. */
async function changedByOthers({ folder }: EngineWorld) {
  const [begun, done] = [new Deferred<void>(), new Deferred<void>()];
  const change = () => {
    begun.resolve();
    return done.promise;
  };
  const { signal } = new AbortController();
  const over = nodeFileSystem().inTurn([join(folder, 'src', 'a.txt')], change, signal);
  await begun.promise;
  return {
    end: async () => {
      done.resolve();
      await over;
    },
  };
}

/** Resolves once a call has been reported as started. */
async function started(handle: AgentHandle): Promise<void> {
  for await (const { type } of handle.events()) if (type === 'tool-started') return;
  assert.fail('The run ended first.');
}

describe('A call waiting for its turn', () => {
  it('writes nothing if its folder is replaced with a link in the meantime', () =>
    withWorld({ files, story: [edit, { say: 'Done.' }] }, async (world) => {
      const others = await changedByOthers(world);
      const { folder } = world;
      const playing = world.play('go');
      const handle = world.engine.runOf(world.sessionId) ?? assert.fail('nothing runs');
      await started(handle);
      await mkdir(join(folder, '..', 'elsewhere'));
      await writeFile(join(folder, '..', 'elsewhere', 'a.txt'), 'ours\n');
      await rename(join(folder, 'src'), join(folder, 'moved'));
      await symlink(join('..', 'elsewhere'), join(folder, 'src'));
      await others.end();
      const [result] = results(await playing);
      assert.equal(result?.status, 'error');
      assert.match(result.text, /elsewhere.*nothing was done/);
      for (const at of ['moved', join('..', 'elsewhere')])
        assert.equal(await readFile(join(folder, at, 'a.txt'), 'utf8'), 'ours\n');
    }));

  it('is dropped at once when the run is cancelled', () =>
    withWorld({ files, story: [edit] }, async (world) => {
      const others = await changedByOthers(world);
      const handle = world.run('go');
      await started(handle);
      handle.cancel();
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
      await others.end();
      await nodeFileSystem().inTurn(
        [join(world.folder, 'src', 'a.txt')],
        () => Promise.resolve(),
        new AbortController().signal,
      );
      assert.equal(await world.read('src/a.txt'), 'ours\n');
    }));
});

describe('A slow file change', () => {
  it('is awaited for some seconds by a cancelled run and reported with its real result', () => {
    // Sleeps of a second or more never end; shorter ones end immediately.
    const sleep = (ms: number, signal: AbortSignal) => (ms >= 1000 ? neverAnswered(signal) : Promise.resolve());
    return withWorld({ files, story: [{ call: [{ name: 'acme_change', arguments: {} }] }], sleep }, async (world) => {
      const [begun, done] = [new Deferred<void>(), new Deferred<string>()];
      world.engine.registerTool({
        ...{ name: 'acme_change', description: 'Changes a file', category: 'write', inputSchema: { type: 'object' } },
        touches: () => Promise.resolve([join(world.folder, 'src', 'a.txt')]),
        run: () => {
          begun.resolve();
          return done.promise;
        },
      });
      const handle = world.run('go');
      await begun.promise;
      handle.cancel();
      for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate);
      done.resolve('Changed.');
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
      const { messages } = await world.engine.sessions.open(world.sessionId);
      const last = messages.at(-1);
      assert.deepEqual(last?.role === 'tool' && last.results.map(({ status, text }) => [status, text]), [
        ['ok', 'Changed.'],
      ]);
    });
  });

  it('is not awaited forever by a cancelled run, and leaves nothing pending', () => {
    const cancelled = { is: false };
    const waits: AbortSignal[] = [];
    const sleep = (ms: number, signal: AbortSignal) => {
      waits.push(signal);
      return cancelled.is && ms >= 1000 ? Promise.resolve() : neverAnswered(signal);
    };
    return withWorld({ files, story: [{ call: [{ name: 'acme_change', arguments: {} }] }], sleep }, async (world) => {
      const never = new Deferred<string>();
      world.engine.registerTool({
        ...{ name: 'acme_change', description: 'Changes a file', category: 'write', inputSchema: { type: 'object' } },
        touches: () => Promise.resolve([join(world.folder, 'src', 'a.txt')]),
        run: () => never.promise,
      });
      const handle = world.run('go');
      await started(handle);
      cancelled.is = true;
      handle.cancel();
      assert.deepEqual(await handle.outcome, { kind: 'cancelled' });
      const { messages } = await world.engine.sessions.open(world.sessionId);
      const last = messages.at(-1);
      assert.deepEqual(last?.role === 'tool' && last.results.map(({ status, text }) => [status, text]), [
        ['cancelled', 'Canceled by the user while it ran.'],
      ]);
      assert.ok(waits.every(({ aborted }) => aborted));
      never.resolve('Changed.');
    });
  });
});

describe('A call', () => {
  const tool = (run: PluginTool['run']): PluginTool => ({
    ...{ name: 'acme_try', description: 'Tries', category: 'network', inputSchema: { type: 'object' }, run },
  });
  const story = [{ call: [{ name: 'acme_try', arguments: {} }] }, { say: 'Done.' }];

  it('is recorded on disk as started before it acts, so that it is not repeated after a crash', () =>
    withWorld({ story }, async (world) => {
      const history = join(world.sessionsFolder, world.sessionId, 'history.jsonl');
      const kept: string[] = [];
      world.engine.registerTool(
        tool((_, { callId }) => {
          const lines = readFileSync(history, 'utf8').split('\n');
          kept.push(...lines.filter((line) => line.includes('"tool-started"') && line.includes(callId)));
          return Promise.resolve('Tried.');
        }),
      );
      const [result] = results(await world.play('go'));
      assert.deepEqual([result?.status, kept.length], ['ok', 1]);
    }));

  for (const [how, end] of [
    ['succeeds', () => Promise.resolve('Tried.')],
    ['fails', () => Promise.reject(new Error('No such host.'))],
    ['is cancelled', () => Promise.reject(new DOMException('Cancelled', 'AbortError'))],
  ] as const) {
    it(`reports its duration when it ${how}`, () => {
      let time = 1_000_000;
      return withWorld({ story, now: () => time }, async (world) => {
        world.engine.registerTool(
          tool(() => {
            time += 1500;
            return end();
          }),
        );
        const [result] = results(await world.play('go'));
        assert.equal(result?.durationMs, 1500);
      });
    });
  }
});

describe('Several calls of one answer', () => {
  it('end the run as rejected when the user rejects one of them', () => {
    const write = (path: string) => ({ name: 'fs_write', arguments: { path, contents: 'new' } });
    const story = [{ call: [write('a.txt'), write('b.txt')] }, { say: 'Only one.' }];
    const approve = ({ title }: { title: string }) =>
      title.includes('b.txt') ? ({ kind: 'reject', by: 'person' } as const) : ({ kind: 'once' } as const);
    return withWorld({ story, approvalMode: 'edits-and-commands', approve }, async (world) => {
      const { outcome } = await world.play('go');
      assert.deepEqual(outcome, { kind: 'rejected', answer: 'Only one.' });
      assert.equal(await world.read('a.txt'), 'new');
      await assert.rejects(world.read('b.txt'));
    });
  });
});
