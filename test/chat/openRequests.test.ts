import assert from 'node:assert/strict';
import { OpenRequests } from '../../src/chat/agentEntries';
import { MessageQueue } from '../../src/chat/messageQueue';

const approval = (id: string) => ({
  ...{ id, sessionId: 's', callId: 'c', together: ['c'], agent: 'coder', tool: 'fs_write', category: 'write' as const },
  ...{ title: 'Write a.txt', reason: 'It writes.', usual: true, change: null, diff: null, command: null, offers: [] },
});
const question = (id: string) => ({
  ...{ id, sessionId: 's', callId: 'c', agent: 'coder', question: 'Which?', kind: 'input' as const, options: [] },
});

describe('The requests that wait in a chat', () => {
  it('are those that nobody has answered, each removed once', () => {
    const open = new OpenRequests();
    open.approval(approval('a'), 'first');
    open.question(question('q'), 'second');
    assert.deepEqual([open.newest, open.has('approval'), open.has('question')], ['question', true, true]);
    assert.deepEqual(open.close('q'), [{ type: 'question-removed', questionId: 'q' }]);
    assert.deepEqual(open.close('q'), []);
    assert.deepEqual([open.newest, open.has('question')], ['approval', false]);
    assert.deepEqual(open.close('a'), [{ type: 'approval-removed', approvalId: 'a' }]);
    assert.deepEqual([open.newest, open.has('approval')], [undefined, false]);
  });

  it('go with their asker, and with no other', () => {
    const open = new OpenRequests();
    open.approval(approval('a'), 'first');
    open.approval(approval('b'), 'second');
    assert.deepEqual(open.closeOf('first'), [{ type: 'approval-removed', approvalId: 'a' }]);
    assert.equal(open.newest, 'approval');
    assert.deepEqual(open.closeOf('first'), []);
  });
});

describe('A message in the queue', () => {
  it('shows its pictures before and after they are read', () => {
    const queue = new MessageQueue([], () => undefined);
    const thumbnail = 'data:image/png;base64,AA==';
    const picture = {
      kind: 'image' as const,
      label: 'a.png',
      mediaType: 'image/png' as const,
      data: 'AA==',
      thumbnail,
    };
    const file = { kind: 'file' as const, label: 'a.ts', target: 'a.ts' };
    const shown = () => {
      const changed = queue.changed();
      return changed.type === 'queue-changed' ? changed.queued.flatMap(({ items }) => items) : [];
    };
    queue.add({ id: 'm', text: 'look', items: [picture, file], unread: true });
    assert.deepEqual(
      shown().map((one) => [one.kind, one.label, one.thumbnail]),
      [
        ['image', 'a.png', thumbnail],
        ['file', 'a.ts', null],
      ],
    );
    const pixels = { mediaType: 'image/png' as const, data: 'AA==' };
    const image = { type: 'image' as const, image: pixels, label: 'a.png', thumbnail };
    assert.equal(queue.fill('m', { attachments: [image] }), true);
    assert.deepEqual(
      shown().map((one) => [one.kind, one.label, one.thumbnail]),
      [['image', 'a.png', thumbnail]],
    );
    assert.equal(queue.fill('gone', { attachments: [image] }), false);
  });
});
