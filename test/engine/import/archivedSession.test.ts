import assert from 'node:assert/strict';
import { type ArchivePiece, type SessionEntry, sessionFromArchive } from '../../../src/engine';
import { sessionEntrySchema, sessionMetadataSchema } from '../../../src/engine/sessions/sessionEntry';

const place = {
  id: '0-0',
  workspace: '/work',
  importedAt: 9,
  strike: (text: string) => text.replaceAll('hunter22', '•••'),
};

function imported(pieces: ArchivePiece[]) {
  return sessionFromArchive({ tool: 'Coyote', file: '/old/a.yaml', modifiedAt: 7, pieces }, place);
}

function messages(entries: readonly SessionEntry[]) {
  return entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
}

const said = { time: 2, model: 'openai:gpt-4o', agent: 'poet' };
const call = (id: string) => ({ type: 'call' as const, id, name: 'look', arguments: '{"at":1}', ...said });
const result = (callId: string, text: string) => ({ type: 'result' as const, time: 3, callId, text, failed: false });

describe('An imported session', () => {
  it('names its source in the title, and keeps its model, agent and times', () => {
    const { metadata, entries } = imported([
      { type: 'user', time: 1, text: 'Who built it?' },
      { type: 'text', text: 'Nobody knows.', ...said },
    ]);
    assert.equal(metadata.title, 'Who built it? (from Coyote)');
    assert.deepEqual([metadata.createdAt, metadata.modifiedAt, metadata.workspace], [1, 7, '/work']);
    const [, answer] = messages(entries);
    assert.ok(answer?.role === 'assistant');
    assert.deepEqual([answer.model, answer.agent, answer.time], ['openai:gpt-4o', 'poet', 2]);
    assert.ok(sessionMetadataSchema.safeParse(metadata).success);
    for (const entry of entries) assert.ok(sessionEntrySchema.safeParse(entry).success, entry.type);
  });

  it('has no call without a result and no unfinished run, so that nothing is executed', () => {
    const { metadata, entries } = imported([
      { type: 'user', time: 1, text: 'Delete it' },
      call('a'),
      call('b'),
      result('b', 'done'),
      result('nobody', 'lost'),
    ]);
    assert.deepEqual(
      entries.map(({ type }) => type),
      ['run-started', 'message', 'message', 'message', 'run-finished'],
    );
    const last = messages(entries).at(-1);
    assert.ok(last?.role === 'tool');
    assert.deepEqual(
      last.results.map(({ status, text }) => [status, text]),
      [
        ['cancelled', 'No result was kept with this call.'],
        ['ok', 'done'],
      ],
    );
    assert.equal(metadata.approvalMode, 'everything');
  });

  it('keeps sequential calls separate, and calls of one answer together', () => {
    const { entries } = imported([
      { type: 'user', time: 1, text: 'Look twice' },
      ...[call('a'), result('a', 'one'), call('a'), result('a', 'two')],
      { type: 'text', text: 'Seen.', ...said },
    ]);
    assert.deepEqual(
      messages(entries).map((one) => one.role),
      ['user', 'assistant', 'tool', 'assistant', 'tool', 'assistant'],
    );
  });

  it('keeps what an answer says between the results of its calls, and leaves out answers without words', () => {
    const { entries } = imported([
      { type: 'user', time: 1, text: 'Look twice' },
      { type: 'thinking', text: 'Both at once.', ...said },
      ...[call('a'), call('b'), result('a', 'one')],
      { type: 'text', text: 'One is there.', ...said },
      result('b', 'two'),
      { type: 'text', text: '', ...said },
      { type: 'user', time: 4, text: 'And now?' },
    ]);
    const [, answer, results, ...others] = messages(entries);
    assert.ok(answer?.role === 'assistant' && results?.role === 'tool');
    assert.deepEqual(
      answer.parts.map((part) => (part.type === 'tool-call' ? part.call.name : part.type)),
      ['thinking', 'look', 'look', 'text'],
    );
    assert.deepEqual(
      results.results.map(({ name, text }) => [name, text]),
      [
        ['look', 'one'],
        ['look', 'two'],
      ],
    );
    assert.deepEqual(
      others.map(({ role }) => role),
      ['user'],
    );
  });

  it('contains no secret, no unbounded text and no arguments that cannot be shown', () => {
    const { metadata, entries } = imported([
      { type: 'user', time: 1, text: 'hunter22 is my password' },
      { ...call('a'), arguments: '['.repeat(5000) },
      { ...call('b'), arguments: '{"password":"hunter22"}' },
      result('a', 'x'.repeat(300_000)),
    ]);
    const text = JSON.stringify([metadata, entries]);
    assert.ok(!text.includes('hunter22') && text.includes('••• is my password'));
    assert.match(text, /\[100000 more characters are in the original\]/);
    assert.match(text, /5000 characters, which are in the original/);
  });
});
