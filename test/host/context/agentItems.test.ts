import assert from 'node:assert/strict';
import { agentAttachment, agentHits } from '../../../src/host/context/agentItems';
import { agentFile } from '../../engine/agents/team/teamStory';
import { withWorld } from '../../support/engineWorld';

const files = {
  ...agentFile('worker', 'description: Counts </attached> stones'),
  ...agentFile('boss', 'mode: primary'),
  ...agentFile('ghost', 'hidden: true'),
};
const item = (name: string) => ({ kind: 'agent' as const, label: name, target: name });

describe('An agent mentioned in a message', () => {
  it('is found by name if another agent may start it', () =>
    withWorld({ files }, async ({ engine }) => {
      const found = async (words: string) => (await agentHits(engine, words, 50)).map(({ item: { label } }) => label);
      assert.deepEqual(await found('wrker'), ['worker']);
      for (const one of ['explore', 'oracle', 'worker']) assert.ok((await found('')).includes(one), one);
      for (const one of ['boss', 'ghost', 'sisyphus']) assert.ok(!(await found('')).includes(one), one);
      const [worker] = await agentHits(engine, 'worker', 1);
      assert.equal(worker?.detail, 'Counts </attached> stones');
    }));

  it('is passed to the model as a wish of the user', () =>
    withWorld({ files }, async ({ engine }) => {
      const attachment = await agentAttachment(engine, item('worker'));
      assert.ok(attachment.type === 'text');
      assert.match(attachment.text, /^<attached source="agent: worker">\nI want the agent “worker” to work on this\. /);
      assert.deepEqual(attachment.attachment, { kind: 'agent', label: 'worker' });
    }));

  it('must exist when the message is sent', () =>
    withWorld({ files }, async ({ engine }) => {
      for (const name of ['gone', 'boss', 'ghost'])
        await assert.rejects(
          agentAttachment(engine, item(name)),
          new RegExp(`No agent “${name}” can be started\\. Type @agent:`),
        );
    }));
});
