import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Deferred } from '../../../src/base/async';
import { nodeFileSystem } from '../../../src/node/nodeFileSystem';
import { withProcesses } from '../../support/otherProcess/otherProcess';
import { type TemporaryFolder, temporaryFolder } from '../temporaryFolder';

describe('File changes', () => {
  const files = nodeFileSystem(false);
  const forever = () => new AbortController().signal;
  let folder: TemporaryFolder;

  beforeEach(async () => (folder = await temporaryFolder()));
  afterEach(() => folder.remove());

  const at = (name: string) => path.join(folder.path, name);

  it('do not wait for those of other files in this process, however many there are', async () => {
    const [begun, done] = [new Deferred<void>(), new Deferred<void>()];
    const first = files.inTurn(
      [at('first.txt')],
      () => {
        begun.resolve();
        return done.promise;
      },
      forever(),
    );
    await begun.promise;
    const others = Array.from({ length: 1000 }, (_, number) => at(`other-${number}.txt`));
    assert.equal(await files.inTurn(others, () => Promise.resolve('all at once'), forever()), 'all at once');
    await Promise.all(others.map((other) => files.inTurn([other], () => Promise.resolve(), forever())));
    done.resolve();
    await first;
  });

  it('keep out those of another process until they are done, whatever else this process changes', () =>
    withProcesses(2, async ([other, third]) => {
      let isBegun = false;
      const asked = await files.inTurn(
        [at('a.txt')],
        async () => {
          // Files share a few hundred locks, so some of these have the same one.
          const others = Array.from({ length: 1000 }, (_, number) => at(`other-${number}.txt`));
          await Promise.all(others.map((file) => files.inTurn([file], () => Promise.resolve(), forever())));
          const reply = other?.ask({ do: 'change', file: at('a.txt') });
          void reply?.then(() => (isBegun = true));
          for (let times = 0; times < 200; times++) await third?.ask({ do: 'is-held' });
          assert.equal(isBegun, false);
          return { reply };
        },
        forever(),
      );
      assert.equal(await asked.reply, 'begun');
      await other?.ask({ do: 'release' });
    }));

  it('do not wait for one of another file in another process', () =>
    withProcesses(1, async ([other]) => {
      assert.equal(await other?.ask({ do: 'change', file: at('a.txt') }), 'begun');
      const enough = new AbortController();
      // Files share a few hundred locks, so one of these could have the same one.
      const changes = Array.from({ length: 8 }, (_, number) =>
        files.inTurn([at(`other-${number}.txt`)], () => Promise.resolve('changed'), enough.signal),
      );
      assert.equal(await Promise.any(changes), 'changed');
      enough.abort();
      await Promise.allSettled(changes);
      await other?.ask({ do: 'release' });
    }));

  it('take their turns in a process whose home cannot be written', async () => {
    const { XDG_CACHE_HOME: before } = process.env;
    await writeFile(at('no-folder'), '');
    process.env['XDG_CACHE_HOME'] = at('no-folder');
    try {
      assert.equal(await files.inTurn([at('a.txt')], () => Promise.resolve('changed'), forever()), 'changed');
    } finally {
      if (before === undefined) delete process.env['XDG_CACHE_HOME'];
      else process.env['XDG_CACHE_HOME'] = before;
    }
  });

  it('wait for one of the same file in another process, even after a waiting one is aborted', () =>
    withProcesses(1, async ([other]) => {
      await writeFile(at('a.txt'), '');
      assert.ok(other);
      assert.equal(await other.ask({ do: 'change', file: at('a.txt') }), 'begun');
      let isOver = false;
      const givenUp = new AbortController();
      const first = files.inTurn([at('a.txt')], () => Promise.resolve('first'), givenUp.signal);
      const second = files.inTurn([at('a.txt')], () => Promise.resolve(isOver), forever());
      givenUp.abort();
      await assert.rejects(first, { name: 'AbortError' });
      for (let times = 0; times < 20; times++) await other.ask({ do: 'is-held' });
      isOver = true;
      await other.ask({ do: 'release' });
      assert.equal(await second, true);
    }));
});
