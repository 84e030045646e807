import assert from 'node:assert/strict';
import { join } from 'node:path';
import { problemLine } from '../../../src/engine';
import { withWorld } from '../../support/engineWorld';

const at = (name: string) => `.cairn/agents/${name}/config.yaml`;

describe('An unknown key in config.yaml', () => {
  it('is reported with its line, and the agent works without it', () =>
    withWorld(
      { files: { [at('helper')]: 'instructions: You help.\nmascot: heron\n' }, story: [{ say: 'Here.' }] },
      async (world) => {
        const { outcome } = await world.play('Hello', { agent: 'helper' });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'Here.' });
        const told = (await world.engine.agents.problems()).map(problemLine).join('\n');
        assert.match(told, /helper\/config\.yaml:2:1: .*Unknown key “mascot”\. It has no effect here\. Remove it\./);
      },
    ));

  it('disables the agent when it is a misspelling of one of our keys', () =>
    withWorld({ files: { [at('helper')]: 'instrctions: You help.\n' } }, async (world) => {
      const { outcome } = await world.play('Hello', { agent: 'helper' });
      assert.ok(outcome.kind === 'failed', outcome.kind);
      assert.ok(outcome.message.includes(join('helper', 'config.yaml:1:1')), outcome.message);
    }));
});
