import assert from 'node:assert/strict';
import { type Played, withWorld } from '../../support/engineWorld';
import type { Step } from '../../support/modelServer/story';
import { call } from '../agents/team/teamStory';

const ONLY_THINKS: Step = { think: 'I have what I need.', signature: 'sig' };
const NOTHING: Step = { say: '' };
const warnings = ({ events }: Played) =>
  events.flatMap((event) => (event.type === 'notice' && event.level === 'warning' ? [event.text] : []));

for (const model of ['openai:test-model', 'anthropic:test-model', 'custom:test-model']) {
  describe(`A model that answers nothing (${model})`, () => {
    for (const [what, silent] of [
      ['nothing at all', NOTHING],
      ['thinking alone', ONLY_THINKS],
    ] as const) {
      it(`is asked again: ${what}, after a tool's result`, () =>
        withWorld({ story: [call('todo__list', {}), silent, { say: 'Here it is.' }] }, async (world) => {
          const played = await world.play('go', { model });
          assert.deepEqual(played.outcome, { kind: 'completed', answer: 'Here it is.' });
          assert.match(
            world.server.requests.at(-1)?.lastText ?? '',
            /Your last reply contained neither text nor a call/,
          );
          assert.deepEqual(warnings(played), []);
        }));
    }

    it('is asked again twice in a row, and then the user is told', () =>
      withWorld({ story: [NOTHING, NOTHING, ONLY_THINKS, { say: 'No.' }] }, async (world) => {
        const played = await world.play('go', { model });
        assert.deepEqual(played.outcome, { kind: 'completed', answer: '' });
        assert.equal(world.server.requests.length, 3);
        assert.match(warnings(played).join(), /^The model gave no answer\. Send a message/);
      }));

    it('may be silent again after it has done something', () => {
      const works = call('todo__list', {});
      const story = [NOTHING, NOTHING, works, NOTHING, NOTHING, { say: 'Done.' }];
      return withWorld({ story }, async (world) => {
        assert.deepEqual((await world.play('go', { model })).outcome, { kind: 'completed', answer: 'Done.' });
      });
    });

    it('is left alone after a refusal, at its output limit, and after a rejected call', async () => {
      for (const [story, approvalMode] of [
        [[{ refuse: 'No.' }], 'nothing'],
        [[{ ...ONLY_THINKS, finish: 'length' }], 'nothing'],
        [[call('fs_write', { path: 'a.txt', contents: 'a' }), NOTHING], 'everything'],
      ] as const) {
        const approve = () => ({ kind: 'reject', by: 'person' }) as const;
        await withWorld({ story, approvalMode, approve }, async (world) => {
          await world.play('go', { model });
          assert.equal(world.server.requests.length, story.length);
        });
      }
    });
  });
}
