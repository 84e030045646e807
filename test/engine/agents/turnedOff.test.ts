import assert from 'node:assert/strict';
import { withWorld } from '../../support/engineWorld';

const file = (fields: string) => `---\ndescription: Helps\n${fields}\n---\nYou help.`;

describe('An agent disabled in its file', () => {
  it('does not exist, with either key, while one with the value false does', () =>
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
