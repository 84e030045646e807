import assert from 'node:assert/strict';
import { AsyncQueue } from '../../src/base/async';

describe('An async queue', () => {
  it('collects nothing more once its loop was left', async () => {
    let left = 0;
    const queue = new AsyncQueue<number>(() => left++);
    for (const number of [1, 2, 3]) queue.push(number);
    for await (const number of queue) if (number === 2) break;
    assert.equal(left, 1);
    queue.push(4);
    const rest: number[] = [];
    for await (const number of queue) rest.push(number);
    assert.deepEqual(rest, []);
  });

  it('delivers what was queued before its end', async () => {
    const queue = new AsyncQueue<number>();
    queue.push(1);
    queue.end();
    const all: number[] = [];
    for await (const number of queue) all.push(number);
    assert.deepEqual(all, [1]);
  });

  it('ends a loop that is already waiting', async () => {
    const queue = new AsyncQueue<number>();
    const next = queue[Symbol.asyncIterator]().next();
    // By then the loop has looked at the empty queue.
    await new Promise(setImmediate);
    queue.end();
    assert.deepEqual(await next, { done: true, value: undefined });
  });
});
