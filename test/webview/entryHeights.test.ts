import assert from 'node:assert/strict';
import type { ChatEntry, GraphNodeRow } from '../../src/protocol/chatState';
import { guessHeight } from '../../webview/transcript/guessHeight';
import { text, tool, user } from './support/chats';

const WIDE = 600;
const agent = (status: 'running' | 'completed'): ChatEntry => ({
  ...{ kind: 'agent', id: 'a', sessionId: 's', agent: 'worker', task: 'x', status, activity: '', startedAt: 0 },
  ...{ durationMs: null, tokens: 0, costUsd: 0, answer: null },
});

const graph = (count: number): ChatEntry => {
  const row = (step: number): GraphNodeRow => ({
    ...{ node: `n${step}`, step, status: 'done', startedAt: 0, durationMs: 1, tokens: 0, costUsd: 0 },
    ...{ items: null, note: '', sessionId: null },
  });
  const nodes = Array.from({ length: count }, (_, step) => row(step));
  return {
    kind: 'graph',
    id: 'g',
    graphId: 'graph-1',
    name: 'steps',
    status: 'completed',
    startedAt: 0,
    durationMs: 1,
    nodes,
  };
};

/** For entries with text: builds one with this many characters. */
const WORDS: readonly (readonly [string, (length: number) => ChatEntry])[] = [
  ['a user message', (length) => user('u', 'x'.repeat(length))],
  ['an answer', (length) => text('t', 'x'.repeat(length))],
  ['a notice', (length) => ({ kind: 'notice', id: 'n', level: 'info', text: 'x'.repeat(length), action: null })],
];

describe('The estimated height of an entry', () => {
  for (const [what, of] of WORDS) {
    it(`for ${what} is about that of its lines`, () => {
      const high = (length: number, width = WIDE) => guessHeight(of(length), width);
      assert.ok(high(0) === high(1), 'an empty line is a line');
      assert.ok(high(0) >= 20 && high(0) < 70, `${high(0)}`);
      assert.ok(high(2000) - high(1000) >= 190 && high(2000) - high(1000) < 320);
      assert.ok(high(2000, WIDE / 2) > high(2000) * 1.7, 'half as wide is about twice as high');
      assert.equal(high(2000, 1), high(2000, 200), 'nothing is as narrow as that');
      assert.ok(high(2000, 200) > high(2000, 260));
    });
  }

  it('for thinking and for the end of a turn is that of a line', () => {
    const thinking = guessHeight({ kind: 'thinking', id: 'h', text: 'x', streaming: false, durationMs: 1 }, WIDE);
    const ended: ChatEntry = {
      ...{
        kind: 'turn',
        mode: null,
        id: 'e',
        runId: 'r',
        messageId: null,
        outcome: 'completed',
        durationMs: 1,
        inputTokens: 0,
      },
      ...{ outputTokens: 0, commands: 0, files: [] },
    };
    for (const height of [thinking, guessHeight(ended, WIDE)]) assert.ok(height >= 20 && height < 40, `${height}`);
  });

  it('is that of a card during activity or a pending request, and of a line afterwards', () => {
    for (const status of ['waiting', 'running'] as const) assert.equal(guessHeight(tool('t', { status }), WIDE), 64);
    for (const status of ['ok', 'error'] as const) assert.ok(guessHeight(tool('t', { status }), WIDE) < 32);
    assert.equal(guessHeight(agent('running'), WIDE), 64);
    assert.ok(guessHeight(agent('completed'), WIDE) < 32);
  });

  it('for a command is that of its line plus at most three lines of output', () => {
    const high = (output: string) =>
      guessHeight(
        tool('t', {
          detail: {
            ...{ kind: 'command', command: 'x', output, exitCode: 0, signal: null, timedOut: false, outputPath: null },
          },
        }),
        WIDE,
      );
    assert.equal(high(''), guessHeight(tool('t'), WIDE));
    assert.ok(high('a') > high('') + 10 && high('a') < high('') + 40, `${high('a')}`);
    assert.equal(high('a\n'), high('a'));
    assert.ok(high('a\nb') > high('a') && high('a\nb\nc') > high('a\nb'));
    assert.equal(high('a\nb\nc\nd'), high('a\nb\nc'));
  });

  it('for a graph is that of a card with one line per node, up to a dozen', () => {
    const high = (count: number) => guessHeight(graph(count), WIDE);
    assert.equal(high(0), 64);
    assert.ok(high(5) - high(0) >= 90 && high(5) - high(0) < 150, `${high(5)}`);
    assert.ok(high(12) > high(11));
    assert.equal(high(40), high(12));
  });
});
