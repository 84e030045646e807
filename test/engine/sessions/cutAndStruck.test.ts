import assert from 'node:assert/strict';
import { EngineError } from '../../../src/engine';
import { cutHistory } from '../../../src/engine/sessions/cutHistory';
import { openingOf, type SessionEntry, struckEntry } from '../../../src/engine/sessions/sessionEntry';
import { newMetadata } from '../../../src/engine/sessions/sessionMetadata';

const at = { time: 0 };
const started = (runId: string): SessionEntry => ({ ...at, type: 'run-started', runId, model: 'openai:m' });
const finished = (runId: string): SessionEntry => ({
  ...{ ...at, type: 'run-finished', runId, durationMs: 0 },
  outcome: { kind: 'completed', answer: 'Done.' },
});
const said = (id: string, text = id): SessionEntry => ({
  type: 'message',
  message: { role: 'user', id, time: 0, steering: false, parts: [{ type: 'text', text }] },
});

describe('A branch of a session', () => {
  const fresh = { workspace: '/', model: null, approvalMode: 'nothing', name: null } as const;
  const whole = (history: readonly SessionEntry[], skills: string[] = []) => ({
    history,
    metadata: { ...newMetadata(fresh, 0), skills },
  });

  it('after a run has the skills that were loaded then, in that order', () => {
    const history: SessionEntry[] = [
      ...[started('one'), finished('one'), started('two')],
      ...[
        { ...at, type: 'skill-unloaded', skill: 'b' } as const,
        { ...at, type: 'skill-loaded', skill: 'c' } as const,
        { ...at, type: 'skill-loaded', skill: 'b' } as const,
        { ...at, type: 'skill-unloaded', skill: 'b' } as const,
      ],
      finished('two'),
    ];
    const cut = cutHistory(whole(history, ['a', 'c']), { after: 'one' }, 0);
    assert.deepEqual(cut, { entries: history.slice(0, 2), skills: ['a', 'b'] });
    assert.deepEqual(cutHistory(whole(history, ['a', 'c']), { after: 'two' }, 0).skills, ['a', 'c']);
  });

  it('before a message has the end of an earlier run that never had one, at the time of the branch', () => {
    const history = [started('one'), said('first'), started('two'), said('second'), finished('two')];
    const { entries } = cutHistory(whole(history), 'second', 7);
    const end = { type: 'run-finished', time: 7, runId: 'one', outcome: { kind: 'cancelled' }, durationMs: 0 };
    assert.deepEqual(entries, [...history.slice(0, 2), end]);
    assert.deepEqual(cutHistory(whole(history), 'first', 7).entries, []);
  });

  it('is refused where the session has no such message, end or checkpoint', () => {
    for (const from of ['x', { after: 'x' }, { at: 'x' }])
      assert.throws(
        () => cutHistory(whole([started('one')]), from, 0),
        (error) => EngineError.is(error, 'not-found'),
      );
  });
});

describe('The opening of a session, by which it is found', () => {
  it('is the beginning of the first five messages of the user', () => {
    const texts = ['one', 'x'.repeat(401), 'three', 'four', 'five', 'six'];
    const messages = texts.flatMap((text) => {
      const entry = said(text.slice(0, 5), text);
      return entry.type === 'message' ? [entry.message] : [];
    });
    assert.equal(openingOf(messages), ['one', 'x'.repeat(400), 'three', 'four', 'five'].join('\n'));
  });
});

describe('A stored entry', () => {
  it('has known secrets masked in the failures of a graph’s nodes, and the rest as it was', () => {
    const node = { node: 'n', step: 1, durationMs: 2, targets: [], tokens: 3, costUsd: 0 };
    const entry: SessionEntry = {
      ...{ ...at, type: 'graph-ran', graphId: 'g', name: 'report', beganAt: 0 },
      nodes: [node, { ...node, failure: 'refused: KEY' }],
    };
    const struck = struckEntry(entry, (text) => text.replaceAll('KEY', '•••'));
    assert.deepEqual(struck, {
      ...entry,
      nodes: [node, { ...node, failure: 'refused: •••' }],
    });
  });
});
