import assert from 'node:assert/strict';
import { repeatUntil } from './repeatUntil';

const LIMITS = { againMs: 100, totalMs: 500 };

describe('A story step', () => {
  it('runs once and is repeated only after it failed', async () => {
    const done: string[] = [];
    const act = async (): Promise<void> => {
      done.push('tried');
      if (done.length < 3) throw new Error('gone just then');
    };
    await repeatUntil('it', act, async () => done.length === 3);
    assert.deepEqual(done, ['tried', 'tried', 'tried']);
  });

  it('may be repeated where the editor redraws', async () => {
    let clicks = 0;
    await repeatUntil(
      'it',
      async () => void (clicks += 1),
      async () => clicks === 2,
      'redrawn',
      LIMITS,
    );
    assert.equal(clicks, 2);
  });

  it('fails when a button ignores its first click', async () => {
    let clicks = 0;
    await assert.rejects(
      repeatUntil(
        'the button to work',
        async () => void (clicks += 1),
        async () => clicks === 2,
        undefined,
        LIMITS,
      ),
      /for the button to work, in vain/,
    );
    assert.equal(clicks, 1);
  });
});
