import assert from 'node:assert/strict';
import { answerOfTurn } from '../../src/protocol/answerOfTurn';
import { text, tool, user } from '../webview/support/chats';

const turn = (id: string) => ({
  ...{
    kind: 'turn' as const,
    mode: null,
    id,
    outcome: 'completed' as const,
    durationMs: 10,
    runId: 'run',
    messageId: null,
  },
  ...{ inputTokens: 0, outputTokens: 0, commands: 0, files: [] },
});

describe('The answer of a turn', () => {
  const entries = [user('u1', 'One?'), text('a', 'I look.'), text('b', 'One.'), turn('t1'), tool('r', {}), turn('t2')];

  it('is the agent’s last text in it', () => {
    assert.equal(answerOfTurn(entries, 3)?.text, 'One.');
  });

  it('is empty if the agent said nothing in it, whatever it said before', () => {
    assert.equal(answerOfTurn(entries, 5), undefined);
    assert.equal(answerOfTurn(entries, -1), undefined);
  });
});
