import assert from 'node:assert/strict';
import { Deferred, runCoalesced } from '../../src/base/async';

describe('Coalesced work', () => {
  it('runs once more for all callers that arrive while it is running', async () => {
    const begun: Deferred<undefined>[] = [];
    const ask = runCoalesced(async () => {
      const done = new Deferred<undefined>();
      begun.push(done);
      await done.promise;
    });
    const first = ask();
    const later = [ask(), ask(), ask()];
    assert.equal(begun.length, 1);
    begun[0]?.resolve(undefined);
    await first;
    await Promise.resolve();
    assert.equal(begun.length, 2);
    begun[1]?.resolve(undefined);
    await Promise.all(later);
    assert.equal(begun.length, 2);
  });

  it('is retried after it failed', async () => {
    let tries = 0;
    const ask = runCoalesced(() => (++tries === 1 ? Promise.reject(new Error('no')) : Promise.resolve()));
    await assert.rejects(ask(), /no/);
    await ask();
    const [third, fourth] = [ask(), ask()];
    await Promise.all([third, fourth]);
    assert.equal(tries, 4);
  });
});
