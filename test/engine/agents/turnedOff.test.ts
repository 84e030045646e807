import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';

const file = (fields: string) => `---\ndescription: Helps\n${fields}\n---\nYou help.`;

describe('an agent that its file turns off', () => {
  it('is not there, by either word for it, and one that says no is', () =>
    withWorld(
      {
        files: {
          '.cairn/agents/off.md': file('disabled: true'),
          '.cairn/agents/out.md': file('disable: true'),
          '.cairn/agents/on.md': file('disabled: false'),
        },
      },
      async ({ engine }) => {
        const names = (await engine.agents.list()).map(({ name }) => name);
        assert.deepEqual(
          ['off', 'out', 'on'].filter((name) => names.includes(name)),
          ['on'],
        );
      },
    ));
});
