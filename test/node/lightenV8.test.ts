import assert from 'node:assert/strict';
import { cachedDataVersionTag } from 'node:v8';
import { lightenV8 } from '../../src/node/lightenV8';

describe('V8 with less to do', () => {
  it('is as before at the exit, so that compiled code that is kept then is taken back by the next start', () => {
    const before = cachedDataVersionTag();
    const others = process.listeners('exit');
    lightenV8();
    const during = cachedDataVersionTag();
    const [restore] = process.listeners('exit').filter((one) => !others.includes(one));
    if (restore) process.off('exit', restore);
    restore?.(0);
    // Other versions are left alone.
    assert.equal(during !== before, /^v(20|24)\./.test(process.version));
    assert.equal(cachedDataVersionTag(), before);
  });
});
