import assert from 'node:assert/strict';
import { questionTitle } from '../../../../src/engine/tools/peopleTools';
import { type ToolWorld, toolWorld } from '../toolWorld';

describe('user__ask', () => {
  let world: ToolWorld;
  beforeEach(async () => {
    world = await toolWorld();
  });
  afterEach(() => world.remove());

  it('returns the user’s answer', async () => {
    const { text } = await world.call(
      'user__ask',
      { question: 'Which one?', options: ['a', 'b'] },
      {
        ask: ({ question, options }) => Promise.resolve({ kind: 'answered', texts: [`${question} ${options.join()}`] }),
      },
    );
    assert.equal(text, 'The user answered: Which one? a,b');
  });

  it('lets the model decide when no user is available', async () => {
    const { text } = await world.call('user__ask', { question: 'Which one?' });
    assert.match(text, /^Nobody is there to answer\. Decide yourself.*state the assumption/);
    assert.deepEqual(world.asked, [{ question: 'Which one?', kind: 'input', options: [] }]);
  });

  it('supports yes or no, free text, and any number of options (P-7.7)', async () => {
    const answers: Record<string, string[]> = { confirm: ['yes'], input: [''], checkbox: [] };
    const texts: string[] = [];
    for (const [name, input] of [
      ['user__confirm', { question: 'Sure?' }],
      ['user__input', { question: 'Name?' }],
      ['user__checkbox', { question: 'Which?', options: ['a', 'b'] }],
    ] as const) {
      const { text } = await world.call(name, input, {
        ask: ({ kind }) => Promise.resolve({ kind: 'answered', texts: answers[kind] ?? ['wrong kind'] }),
      });
      texts.push(text);
    }
    assert.deepEqual(texts, [
      'The user answered: yes',
      'The user answered: nothing (an empty text)',
      'The user answered: none of the options',
    ]);
  });

  it('keeps a usual question whole in the title that stays above the answer, and cuts a long one between words', () => {
    const usual = `Which of these database engines should the new service use, ${'considering what we have, '.repeat(6)}?`;
    assert.equal(questionTitle(usual), `Ask: ${usual}`);
    assert.match(questionTitle('Which colour? '.repeat(40)), /^Ask: (Which colour\? ?)+(Which)? …$/);
    assert.equal(questionTitle('x'.repeat(400)), `Ask: ${'x'.repeat(300)} …`);
  });
});
