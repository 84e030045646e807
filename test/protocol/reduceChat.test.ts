import assert from 'node:assert/strict';
import type { ChatEntry, ChatState, ToolEntry } from '../../src/protocol/chatState';
import type { HostEvent } from '../../src/protocol/hostEvent';
import { reduceChat } from '../../src/protocol/reduceChat';
import { emptyChat } from '../support/emptyChat';

const text = (id: string): ChatEntry => ({ kind: 'text', id, agent: 'coder', text: 'a', streaming: true });
const tool: ToolEntry = {
  kind: 'tool',
  id: 't',
  tool: 'fs_read',
  category: 'read',
  title: 'Read a.ts',
  status: 'preparing',
  startedAt: null,
  durationMs: null,
  output: '',
  detail: null,
};
const fold = (...events: HostEvent[]): ChatState => events.reduce(reduceChat, emptyChat('s'));

describe('the chat reducer', () => {
  it('appends text to its entry and leaves all others as they are', () => {
    const before = fold({ type: 'entry-added', entry: text('1') }, { type: 'entry-added', entry: text('2') });
    const after = reduceChat(before, { type: 'text-appended', entryId: '2', text: 'b' });
    assert.deepEqual(
      after.entries.map((entry) => entry.kind === 'text' && entry.text),
      ['a', 'ab'],
    );
    assert.equal(after.entries[0], before.entries[0]);
    assert.equal(before.entries[1]?.kind === 'text' && before.entries[1].text, 'a');
  });

  it('changes nothing for an entry that is not there', () => {
    const before = fold({ type: 'entry-added', entry: text('1') });
    assert.equal(reduceChat(before, { type: 'text-appended', entryId: 'gone', text: 'b' }), before);
  });

  it('keeps only the tail of live output', () => {
    const chunk = 'x'.repeat(5_000);
    const state = fold(
      { type: 'entry-added', entry: tool },
      { type: 'tool-output-appended', entryId: 't', text: `${chunk}y` },
      { type: 'tool-output-appended', entryId: 't', text: `${chunk}z` },
    );
    const [entry] = state.entries;
    assert.ok(entry?.kind === 'tool');
    assert.equal(entry.output.length, 8_000);
    assert.ok(entry.output.endsWith('z'));
  });

  it('adds and removes what waits for the person', () => {
    const question = {
      questionId: 'q',
      entryId: 't',
      agent: 'coder',
      question: 'Why?',
      kind: 'input' as const,
      options: [],
    };
    const asked = fold({ type: 'question-added', question });
    assert.deepEqual(asked.questions, [question]);
    assert.deepEqual(reduceChat(asked, { type: 'question-removed', questionId: 'q' }).questions, []);
  });

  const changes: [HostEvent, keyof ChatState, unknown][] = [
    [{ type: 'title-changed', title: 'T' }, 'title', 'T'],
    [{ type: 'resumable-changed', canResume: true }, 'canResume', true],
    [{ type: 'approval-mode-changed', approvalMode: 'nothing' }, 'approvalMode', 'nothing'],
    [
      { type: 'todos-changed', todos: [{ id: 1, text: 'x', done: false }] },
      'todos',
      [{ id: 1, text: 'x', done: false }],
    ],
  ];
  for (const [event, key, value] of changes) {
    it(`folds ${event.type}`, () => assert.deepEqual(fold(event)[key], value));
  }
});
