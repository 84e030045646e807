import assert from 'node:assert/strict';
import { SumTree } from '../../webview/transcript/sumTree';

describe('SumTree', () => {
  it('returns sums and positions after any changes', () => {
    const tree = new SumTree();
    const values = Array.from({ length: 300 }, (_, at) => (at * 7) % 5);
    tree.fill(values.slice(0, 100));
    for (const value of values.slice(100)) tree.push(value);
    for (let at = 0; at < 300; at += 3) {
      values[at] = (at * 11) % 13;
      tree.set(at, (at * 11) % 13);
    }
    let sum = 0;
    values.forEach((value, at) => {
      assert.equal(tree.before(at), sum);
      if (value > 0) assert.equal(tree.indexAt(sum + value / 2), at);
      sum += value;
    });
    assert.equal(tree.total, sum);
  });

  it('stays within its bounds', () => {
    const tree = new SumTree();
    assert.equal(tree.indexAt(10), 0);
    tree.fill([5, 5, 5]);
    assert.equal(tree.indexAt(0), 0);
    assert.equal(tree.indexAt(1_000), 2);
    assert.equal(tree.set(1, 5), false);
    assert.equal(tree.set(7, 5), false);
    assert.equal(tree.total, 15);
  });
});
