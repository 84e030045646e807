import assert from 'node:assert/strict';
import { isAbort } from '../../src/base/abort';
import { nodeClock } from '../../src/node/nodePorts';

describe('nodeClock', () => {
  it('sleeps for a while', async () => {
    const begun = Date.now();
    await nodeClock().sleep(30, new AbortController().signal);
    assert.ok(Date.now() - begun >= 25);
    const [before, now, after] = [Date.now(), nodeClock().now(), Date.now()];
    assert.ok(before <= now && now <= after);
  });

  it('sleeps longer than a single Node timer allows', async () => {
    const abort = new AbortController();
    const long = nodeClock().sleep(30 * 24 * 3_600_000, abort.signal);
    const short = nodeClock().sleep(50, abort.signal);
    assert.equal(await Promise.race([long.then(() => 'long'), short.then(() => 'short')]), 'short');
    abort.abort();
    await assert.rejects(long, isAbort);
  });

  it('wakes with AbortError when aborted', async () => {
    const abort = new AbortController();
    const sleeping = nodeClock().sleep(60_000, abort.signal);
    abort.abort();
    await assert.rejects(sleeping, isAbort);
    await assert.rejects(nodeClock().sleep(60_000, abort.signal), isAbort);
  });

  it('sleeps far longer than a single Node timer allows', async () => {
    const abort = new AbortController();
    const long = nodeClock().sleep(2 ** 40, abort.signal);
    const first = await Promise.race([
      long.then(() => 'long'),
      nodeClock()
        .sleep(30, abort.signal)
        .then(() => 'short'),
    ]);
    assert.equal(first, 'short');
    abort.abort();
    await assert.rejects(long, isAbort);
  });

  it('fires a timer once, but not after disposal or beyond the maximum Node timer', async () => {
    const rung: string[] = [];
    const clock = nodeClock();
    const alarms = [clock.alarm?.(30, () => rung.push('ended')), clock.alarm?.(2 ** 40, () => rung.push('long'))];
    alarms[0]?.dispose();
    await new Promise<void>((resolve) => {
      clock.alarm?.(60, () => {
        rung.push('in time');
        resolve();
      });
    });
    alarms[1]?.dispose();
    assert.deepEqual(rung, ['in time']);
  });
});
