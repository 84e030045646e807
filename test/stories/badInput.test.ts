import assert from 'node:assert/strict';
import { story } from '../editor/story';

describe('Invalid input', () => {
  story(
    'in the settings is reported in a notification, and the rest works',
    {
      settings: { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'never' },
      model: [{ say: 'Working.' }],
    },
    async ({ panel, window }) => {
      await panel.open();
      await window.command('notifications.showList');
      const note = window.page.locator('.notification-list-item', { hasText: 'cairn.approvalMode' }).first();
      await note.waitFor();
      assert.match(await note.innerText(), /ignored until it is corrected/);
      await note.getByRole('button', { name: 'Open Settings' }).waitFor();
      await window.command('notifications.hideList');
      await panel.send('hello');
      await panel.waitForText('Working.', 'text');
    },
  );

  // In a window of its own, because a model that another story chose would win over the setting.
  story(
    'for the model name is reported with the available providers',
    { settings: { 'cairn.model': 'nobody:x' }, model: [] },
    async ({ panel }) => {
      await panel.open();
      await panel.send('hello');
      const notice = await panel.waitForText('an unknown provider, "nobody"', 'notice');
      assert.match(notice.text, /Providers: openai, anthropic/);
      await (await panel.button('Choose another model')).waitFor();
      await panel.waitForText('hello', 'user');
    },
  );
});
