import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import { pressInDialog } from '../editor/pressInDialog';
import { until } from '../editor/until';

const read = { name: 'fs_read', arguments: { path: 'notes.txt' } };
const write = { name: 'fs_write', arguments: { path: 'notes.txt', contents: 'by the agent\n' } };
const freely = { 'cairn.approvalMode': 'nothing' };
const files = { 'notes.txt': 'mine\n' };

describe('checkpoints', () => {
  const scene = chapter({ settings: { 'cairn.model': 'openai:test-model' }, files });

  scene(
    'put the files back as they were before a message, and go on from there in a new session',
    {
      settings: freely,
      model: [{ say: 'Hello.' }, { call: [read] }, { call: [write] }, { say: 'Written.' }, { say: 'From before.' }],
    },
    async ({ panel, window, workspace, model }) => {
      await panel.open();
      await panel.send('hello');
      await panel.waitForText('Hello.', 'text');
      await until('the end of the first turn', async () => (await panel.button('Send')).isVisible());
      await panel.send('write it down');
      await panel.waitForText('Written.', 'text');
      await until('the end of the second turn', async () => (await panel.button('Send')).isVisible());
      assert.equal(await workspace.read('notes.txt'), 'by the agent\n');
      await window.startCommand('cairn.restoreCheckpoint');
      await panel.pick('write it down');
      await pressInDialog(window, 'Restore Files and Conversation');
      await until('the file to be back', async () => (await workspace.read('notes.txt')) === 'mine\n');
      await until('the message to be gone', async () =>
        (await panel.entries()).every(({ text }) => !text.includes('write it down')),
      );
      await panel.waitForText('Hello.', 'text');
      await panel.send('something else');
      await panel.waitForText('From before.', 'text');
      const said = model.requests
        .at(-1)
        ?.messages.filter(({ role }) => role === 'user')
        .map(({ text }) => text);
      assert.deepEqual(said, ['hello', 'something else']);
    },
  );
});
