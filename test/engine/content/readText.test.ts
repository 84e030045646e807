import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';

describe('A file of instructions', () => {
  it('is left out where it is too large, and the problem says how large it may be', () => {
    const head = '---\ndescription: Big\n---\n';
    const files = {
      '.cairn/agents/most.md': head.padEnd(1024 * 1024, 'x'),
      '.cairn/agents/more.md': head.padEnd(1024 * 1024 + 1, 'x'),
    };
    return withWorld({ files }, async ({ engine }) => {
      const names = (await engine.agents.list()).map(({ name }) => name);
      assert.deepEqual([names.includes('most'), names.includes('more')], [true, false]);
      const problems = (await engine.agents.problems()).map(({ path, message }) => `${path}: ${message}`);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', /more\.md: This is too long for instructions\. Keep it below 1 MB\.$/);
    });
  });
});
