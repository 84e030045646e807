import assert from 'node:assert/strict';
import { PlainHeaders } from '../../../src/base/streams/plainHeaders';

const INITS = [
  { 'X-B': ' two ', 'x-a': 'one' },
  [
    ['x-b', '1'],
    ['X-B', '2'],
    ['x-a', ''],
  ],
  [
    ['set-cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
    ['accept', 'x'],
  ],
] satisfies ConstructorParameters<typeof Headers>[0][];

describe('PlainHeaders', () => {
  for (const init of INITS) {
    it(`matches the built-in Headers for ${JSON.stringify(init)}`, () => {
      const ours = new PlainHeaders(init);
      const theirs = new Headers(init);
      assert.deepEqual([...ours], [...theirs]);
      assert.deepEqual([...ours.keys()], [...theirs.keys()]);
      assert.deepEqual([...ours.values()], [...theirs.values()]);
      assert.deepEqual(ours.getSetCookie(), theirs.getSetCookie());
      for (const name of ['X-B', 'x-a', 'set-cookie', 'none']) {
        assert.equal(ours.get(name), theirs.get(name));
        assert.equal(ours.has(name), theirs.has(name));
      }
    });
  }

  it('mutates like the built-in Headers and converts to and from them', () => {
    const ours = new PlainHeaders({ a: '1' });
    ours.append('A', '2');
    ours.set('b', '3');
    ours.delete('B');
    assert.deepEqual([...new Headers([...ours])], [['a', '1, 2']]);
    assert.deepEqual([...new PlainHeaders([...ours])], [['a', '1, 2']]);
  });
});
