import assert from 'node:assert/strict';
import type {
  ChatEntry,
  ChatState,
  GraphEntry,
  GraphNodeRow,
  PendingApproval,
  PendingQuestion,
  ToolEntry,
} from '../../src/protocol/chatState';
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
const approval = (approvalId: string): PendingApproval => ({
  approvalId,
  usual: false,
  entryId: 't',
  agent: 'coder',
  tool: 'fs_edit',
  category: 'write',
  title: 'Edit a.ts',
  reason: 'Edits ask.',
  diff: null,
  leftOut: [],
  together: ['t'],
  command: null,
  always: [],
});
const question = (questionId: string): PendingQuestion => ({
  questionId,
  entryId: 't',
  agent: 'coder',
  question: 'Why?',
  kind: 'input',
  options: [],
});
const graph: GraphEntry = {
  ...{ kind: 'graph', id: 'g', graphId: 'run', name: 'steps', status: 'running', startedAt: 0, durationMs: null },
  nodes: [],
};
const row = (node: string, step: number, note = ''): GraphNodeRow => ({
  ...{ node, step, status: 'running', startedAt: 0, durationMs: null, tokens: 0, costUsd: 0, items: null, note },
  sessionId: null,
});
const fold = (...events: HostEvent[]): ChatState => events.reduce(reduceChat, emptyChat('s'));

describe('The chat reducer', () => {
  it('keeps a row for each node and step of a graph, in start order', () => {
    const told = [row('a', 0), row('b', 0), row('a', 1), row('a', 0, 'done'), row('b', 1), row('b', 0, 'done')];
    const state = fold(
      { type: 'entry-added', entry: graph },
      { type: 'entry-added', entry: text('1') },
      ...told.map((one) => ({ type: 'graph-node-changed', entryId: 'g', row: one }) as const),
      { type: 'graph-changed', entryId: 'g', changes: { status: 'completed', durationMs: 5 } },
    );
    const [entry] = state.entries;
    assert.ok(entry?.kind === 'graph');
    const rows = [row('a', 0, 'done'), row('b', 0, 'done'), row('a', 1), row('b', 1)];
    assert.deepEqual(entry, { ...graph, status: 'completed', durationMs: 5, nodes: rows });
    for (const event of [
      { type: 'graph-node-changed', entryId: '1', row: row('a', 0) },
      { type: 'graph-changed', entryId: '1', changes: { status: 'failed' } },
    ] as const)
      assert.equal(reduceChat(state, event), state, 'an entry that is no graph has none');
  });

  it('updates the welcome data', () => {
    const welcome = { workspaceName: 'other', project: [], instructions: ['AGENTS.md'], starters: ['Go'] };
    assert.deepEqual(fold({ type: 'welcome-changed', welcome }).welcome, welcome);
  });

  it('appends text to its entry and leaves all others unchanged', () => {
    const before = fold({ type: 'entry-added', entry: text('1') }, { type: 'entry-added', entry: text('2') });
    const after = reduceChat(before, { type: 'text-appended', entryId: '2', text: 'b' });
    assert.deepEqual(
      after.entries.map((entry) => entry.kind === 'text' && entry.text),
      ['a', 'ab'],
    );
    assert.equal(after.entries[0], before.entries[0]);
    assert.equal(before.entries[1]?.kind === 'text' && before.entries[1].text, 'a');
  });

  it('ignores changes to an unknown entry', () => {
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

  it('adds and removes pending approvals and questions individually', () => {
    const asked = fold(
      { type: 'question-added', question: question('p') },
      { type: 'question-added', question: question('q') },
      { type: 'approval-added', approval: approval('a') },
      { type: 'approval-added', approval: approval('b') },
    );
    assert.deepEqual(asked.questions, [question('p'), question('q')]);
    assert.deepEqual(asked.approvals, [approval('a'), approval('b')]);
    const answered = reduceChat(asked, { type: 'question-removed', questionId: 'p' });
    assert.deepEqual(answered.questions, [question('q')]);
    const approved = reduceChat(answered, { type: 'approval-removed', approvalId: 'b' });
    assert.deepEqual(approved.approvals, [approval('a')]);
    assert.deepEqual(approved.questions, [question('q')]);
  });

  it('leaves out parts only of the edit that they belong to', () => {
    const asked = fold(...['a', 'b', 'c'].map((id) => ({ type: 'approval-added' as const, approval: approval(id) })));
    const one = reduceChat(asked, { type: 'approval-parts-changed', approvalId: 'b', leftOut: [0, 2] });
    assert.deepEqual(
      one.approvals.map(({ leftOut }) => leftOut),
      [[], [0, 2], []],
    );
    assert.equal(one.approvals[0], asked.approvals[0]);
    const two = reduceChat(one, { type: 'approval-parts-changed', approvalId: 'c', leftOut: [1] });
    const back = reduceChat(two, { type: 'approval-parts-changed', approvalId: 'b', leftOut: [] });
    assert.deepEqual(
      back.approvals.map(({ leftOut }) => leftOut),
      [[], [], [1]],
    );
  });

  it('ends one text and leaves the others streaming', () => {
    const thinking: ChatEntry = {
      kind: 'thinking',
      id: 'h',
      text: '',
      streaming: true,
      durationMs: null,
    };
    const before = fold(...[text('1'), thinking, text('2')].map((entry) => ({ type: 'entry-added' as const, entry })));
    const first = reduceChat(before, { type: 'text-finished', entryId: 'h', durationMs: 70 });
    assert.deepEqual(first.entries, [text('1'), { ...thinking, streaming: false, durationMs: 70 }, text('2')]);
    const both = reduceChat(first, { type: 'text-finished', entryId: '1', durationMs: null });
    assert.deepEqual(both.entries[0], { ...text('1'), streaming: false });
    assert.equal(both.entries[2], before.entries[2]);
  });

  it('applies only the given changes to a tool, and ignores events for another kind of entry', () => {
    const before = fold({ type: 'entry-added', entry: text('1') }, { type: 'entry-added', entry: tool });
    const after = reduceChat(before, { type: 'tool-changed', entryId: 't', changes: { status: 'ok', durationMs: 5 } });
    assert.deepEqual(after.entries, [text('1'), { ...tool, status: 'ok', durationMs: 5 }]);
    const wrong: HostEvent[] = [
      { type: 'tool-changed', entryId: '1', changes: { status: 'ok' } },
      { type: 'tool-output-appended', entryId: '1', text: 'x' },
      { type: 'text-appended', entryId: 't', text: 'x' },
      { type: 'text-finished', entryId: 't', durationMs: 1 },
      { type: 'agent-changed', entryId: 't', changes: {} },
    ];
    for (const event of wrong) assert.equal(reduceChat(after, event), after, event.type);
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
    it(`applies ${event.type}`, () => assert.deepEqual(fold(event)[key], value));
  }

  it('applies session-wide changes, and changes nothing else', () => {
    const before = fold({ type: 'entry-added', entry: text('1') });
    const { model } = emptyChat('s');
    const other = { ...model, label: 'Another' };
    const toReview: ChatState['toReview'] = [];
    assert.deepEqual(reduceChat(before, { type: 'model-changed', model: other }), { ...before, model: other });
    assert.deepEqual(reduceChat(before, { type: 'title-changed', title: 'New' }), { ...before, title: 'New' });
    assert.deepEqual(reduceChat(before, { type: 'resumable-changed', canResume: true }), {
      ...before,
      canResume: true,
    });
    assert.deepEqual(reduceChat(before, { type: 'approval-mode-changed', approvalMode: 'nothing' }), {
      ...before,
      approvalMode: 'nothing',
    });
    assert.equal(reduceChat(before, { type: 'review-changed', toReview }).toReview, toReview);
  });
});
