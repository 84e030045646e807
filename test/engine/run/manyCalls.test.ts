import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { withWorld } from '../../support/engineWorld';

describe('A reply with many calls', () => {
  it('runs them in parallel without a Node warning in the user’s terminal', () => {
    const call = Array.from({ length: 30 }, () => ({ name: 'fs_read', arguments: { path: 'a.txt' } }));
    return withWorld({ story: [{ call }, { say: 'Read.' }], files: { 'a.txt': 'heron' } }, async (world) => {
      const warnings: string[] = [];
      const listen = (warning: Error) => void warnings.push(warning.message);
      process.on('warning', listen);
      try {
        const { outcome } = await world.play('go');
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Read.' });
        await setImmediate();
        assert.deepEqual(warnings, []);
      } finally {
        process.off('warning', listen);
      }
    });
  });
});
