import assert from 'node:assert/strict';
import { Deferred } from '../../../../src/base/async';
import type { Question } from '../../../../src/engine';
import { Escalations, KnownEscalations } from '../../../../src/engine/team/escalations';

const question: Question = {
  ...{ id: 'q1', sessionId: 's', callId: 'c', agent: 'worker' },
  ...{ question: 'May I?', kind: 'confirm', options: [] },
};

describe('An escalated question', () => {
  it('is answered only by the ancestors of its agent', async () => {
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

  for (const [said, meant] of [
    ['y', 'yes'],
    ['Sure, go on.', 'yes'],
    ['OK', 'yes'],
    ['No, never.', 'no'],
    ['n', 'no'],
    ['false', 'no'],
    [' Not before noon ', 'Not before noon'],
    ['yesterday', 'yesterday'],
  ] as const) {
    it(`for yes or no interprets “${said}” as “${meant}”`, async () => {
      const all = new Escalations();
      const { answer } = all.add({ id: 'w', name: 'worker', above: ['root'] }, question);
      all.reply('q1', 'root', said);
      assert.deepEqual(await answer, { kind: 'answered', texts: [meant] });
    });
  }

  for (const [said, meant] of [
    [' blue ', 'Blue'],
    ['red', 'Red'],
    ['Blueish', 'Blueish'],
    ['yes', 'yes'],
  ] as const) {
    it(`with choices interprets “${said}” as “${meant}”`, async () => {
      const all = new Escalations();
      const choice: Question = { ...question, kind: 'choice', options: ['Red', 'Blue'] };
      const { answer } = all.add({ id: 'w', name: 'worker', above: ['root'] }, choice);
      assert.deepEqual(all.waitingFor('root')[0]?.options, ['Red', 'Blue']);
      all.reply('q1', 'root', said);
      assert.deepEqual(await answer, { kind: 'answered', texts: [meant] });
    });
  }

  it('stops waiting when it is closed, and notifies only current listeners', () => {
    const all = new Escalations();
    let heard = 0;
    const stop = all.onAdded(() => heard++);
    const { close } = all.add({ id: 'w', name: 'worker', above: ['root'] }, question);
    assert.equal(all.waitingFor('root')[0]?.options, undefined);
    close();
    assert.deepEqual(all.waitingFor('root'), []);
    assert.throws(() => all.reply('q1', 'root', 'yes'), /its time is up/);
    stop();
    all.add({ id: 'w', name: 'worker', above: ['root'] }, question);
    assert.equal(heard, 1);
  });

  it('includes its only option', () => {
    const all = new Escalations();
    all.add({ id: 'w', name: 'worker', above: ['root'] }, { ...question, kind: 'choice', options: ['Red'] });
    assert.deepEqual(all.waitingFor('root')[0]?.options, ['Red']);
  });

  it('wakes only those it is waiting for', async () => {
    const all = new Escalations();
    const never = new Deferred<void>();
    let woken = 0;
    const known = new KnownEscalations(all, 'root');
    const asked = known.untilAsked(never.promise, new AbortController().signal).then(() => woken++);
    all.add({ id: 'w', name: 'worker', above: ['lead'] }, { ...question, id: 'q2' });
    await new Promise(setImmediate);
    assert.equal(woken, 0);
    all.add({ id: 'w', name: 'worker', above: ['root'] }, question);
    await asked;
    assert.deepEqual(
      known.fresh().map(({ escalation_id: id }) => id),
      ['q1'],
    );
  });
});
