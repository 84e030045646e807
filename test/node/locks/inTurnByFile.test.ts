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
      isOver = true;
      await other.ask({ do: 'release' });
      assert.equal(await second, true);
    }));
});
