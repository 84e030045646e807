import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Attachment } from '../../../../src/engine';
import { withWorld } from '../../../support/engineWorld';
import { PICTURES } from '../../../support/pictures';
import type { Step } from '../../../support/modelServer/story';

const model = 'anthropic:test-model';

/** Asks about a picture that no other test uses, since Cairn remembers what was refused. */
function ask(about: string): { text: string; attachments: readonly Attachment[]; data: string } {
  const data = Buffer.concat([PICTURES['image/png'], Buffer.from(about)]).toString('base64');
  const image = { mediaType: 'image/png', data } as const;
  return { text: 'What is it?', attachments: [{ type: 'image', image, label: 'Screen' }], data };
}

function refusal(message: string): Step {
  return { fail: { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } } };
}

describe('A picture that a provider refuses', () => {
  for (const one of ['openai:test-model', 'anthropic:test-model'])
    it(`is replaced by a note, with a notice, and does not end the conversation with ${one}`, () =>
      withWorld(
        { story: [refusal('Could not process image'), { say: 'I see none.' }, { say: 'Two.' }] },
        async (world) => {
          const { outcome, events } = await world.play(ask(one), { model: one });
          assert.deepEqual(outcome, { kind: 'completed', answer: 'I see none.' });
          const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
          assert.deepEqual(notices, [
            'The model’s provider refused a picture, so the model gets a note instead. It says: "Could not process image".',
          ]);
          await world.play('And now?', { model: one });
          const [refused, ...later] = world.server.requests;
          assert.equal(refused?.messages.flatMap(({ images }) => images).length, 1);
          assert.equal(later.length, 2);
          for (const { messages } of later) {
            assert.deepEqual(
              messages.flatMap(({ images }) => images),
              [],
            );
            assert.match(JSON.stringify(messages), /A picture \(image\/png\) was here\. It cannot be shown to you/);
          }
        },
      ));

  it('does not take away those that the model has seen', () =>
    withWorld(
      {
        story: [
          { say: 'A pixel.' },
          { call: [{ name: 'fs_read', arguments: { path: 'b.gif' } }] },
          refusal('image.source.media_type: gif is not supported'),
          { say: 'The first one.' },
        ],
      },
      async (world) => {
        await writeFile(join(world.folder, 'b.gif'), PICTURES['image/gif']);
        const { data, ...asking } = ask('seen');
        await world.play(asking, { model });
        const { outcome } = await world.play('Read b.gif', { model });
        assert.deepEqual(outcome, { kind: 'completed', answer: 'The first one.' });
        const last = world.server.requests.at(-1)?.messages ?? [];
        assert.deepEqual(
          last.flatMap(({ images }) => images),
          [`data:image/png;base64,${data}`],
        );
        assert.match(JSON.stringify(last), /A picture \(image\/gif\) was here/);
      },
    ));

  it('is still sent when the request is refused for another reason', () =>
    withWorld({ story: [refusal('max_tokens is too large'), { say: 'A pixel.' }] }, async (world) => {
      const { outcome } = await world.play(ask('another reason'), { model });
      assert.equal(outcome.kind, 'failed');
      await world.play('Again', { model });
      assert.equal(world.server.requests.at(-1)?.messages.flatMap(({ images }) => images).length, 1);
    }));

  it('is tried once: a failure that stays is reported', () =>
    withWorld({ story: [refusal('Invalid image'), refusal('Invalid image')] }, async (world) => {
      const { outcome } = await world.play(ask('refused twice'), { model });
      assert.ok(outcome.kind === 'failed' && /Invalid image/.test(JSON.stringify(outcome)));
      assert.equal(world.server.requests.length, 2);
    }));
});
