import assert from 'node:assert/strict';
import { Escalations } from '../../../../src/engine/team/escalations';
import type { Question } from '../../../../src/engine';

const question: Question = {
  ...{ id: 'q1', sessionId: 's', callId: 'c', agent: 'worker' },
  ...{ question: 'May I?', kind: 'confirm', options: [] },
};

describe('a question of an agent', () => {
  it('is answered by those above it, and by nobody else of the team', async () => {
    const all = new Escalations();
    const { answer } = all.add({ id: 'worker1', name: 'worker', above: ['lead', 'root'] }, question);
    for (const other of ['worker1', 'worker2', '']) {
      assert.deepEqual(all.waitingFor(other), []);
      assert.throws(() => all.reply('q1', other, 'yes'), /No question q1 waits for you/);
    }
    assert.equal(all.waitingFor('root').length, 1);
    assert.equal(all.reply('q1', 'root', 'Yes, do.'), 'May I?');
    assert.deepEqual(await answer, { kind: 'answered', texts: ['yes'] });
    assert.throws(() => all.reply('q1', 'lead', 'no'), /may have been answered/, 'it is answered once');
  });
});
