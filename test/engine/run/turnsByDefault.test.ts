import assert from 'node:assert/strict';
import type { Story } from '../../support/modelServer/story';
import { withWorld } from '../../support/engineWorld';

const files = Object.fromEntries(Array.from({ length: 130 }, (_, at) => [`${at}.txt`, `text ${at}`]));
const resultsSoFar = (messages: readonly { results: readonly unknown[] }[]) =>
  messages.flatMap(({ results }) => results).length;
/** Reads a different file each time, so that nothing else stops the run. */
const readsOn: Story = [
  {
    when: () => true,
    step: ({ messages }) => ({
      call: [{ name: 'fs_read', arguments: { path: `${resultsSoFar(messages)}.txt` } }],
    }),
  },
];

describe('A model that never finishes', () => {
  const cases = [
    ['100 requests by default', {}, {}, 100],
    ['the number of requests in the settings, even above 100', { limits: { turns: 101 } }, {}, 101],
    ['the number of requests that its agent sets, even above 100', {}, { agent: 'patient' }, 101],
    ['the number of requests that the caller sets', { limits: { turns: 3 } }, { limits: { turns: 5 } }, 5],
  ] as const;
  for (const [what, settings, request, most] of cases) {
    it(`is stopped after ${what}`, () =>
      withWorld({ files, story: readsOn, settings }, async (world) => {
        const about = { name: 'patient', description: 'Takes long.', prompt: 'Read on.' };
        world.engine.registerAgent({ ...about, limits: { turns: 101 } });
        const { outcome } = await world.play('read on', request);
        assert.deepEqual(outcome, { kind: 'limit-reached', limit: 'turns' });
        assert.equal(world.server.requests.length, most);
      }));
  }

  it('can be continued, with the same number of turns again', () =>
    withWorld({ files, story: readsOn, settings: { limits: { turns: 3 } } }, async (world) => {
      await world.play('read on');
      await world.play(undefined);
      assert.equal(world.server.requests.length, 6);
    }));
});
