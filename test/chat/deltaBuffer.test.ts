import assert from 'node:assert/strict';
import { Deferred } from '../../src/base/async';
import { DeltaBuffer } from '../../src/chat/deltaBuffer';
import type { HostEvent } from '../../src/protocol/hostEvent';

const said = (text: string): HostEvent => ({ type: 'text-appended', entryId: 'text-1', text });

describe('Stream updates to a panel', () => {
  it('are sent immediately after a pause, then once per frame', async () => {
    const told: string[] = [];
    let next = new Deferred<void>();
    const buffer = new DeltaBuffer((events) => {
      told.push(events.map((event) => ('text' in event ? event.text : '')).join('|'));
      next.resolve();
    });
    try {
      buffer.push([said('a')]);
      assert.deepEqual(told, ['a']);
      next = new Deferred<void>();
      buffer.push([said('b')]);
      buffer.push([said('c')]);
      assert.deepEqual(told, ['a']);
      await next.promise;
      assert.deepEqual(told, ['a', 'bc']);
      // The frame that began with this message is still open.
      next = new Deferred<void>();
      buffer.push([said('d')]);
      assert.deepEqual(told, ['a', 'bc']);
      buffer.push([said('e')]);
      await next.promise;
      assert.deepEqual(told, ['a', 'bc', 'de']);
    } finally {
      buffer.dispose();
    }
  });
});
