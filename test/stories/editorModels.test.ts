import assert from 'node:assert/strict';
import path from 'node:path';
import { repoRoot } from '../editor/repoRoot';
import { story } from '../editor/story';
import { until } from '../editor/until';

describe('A model from another extension', () => {
  story(
    'is listed with the others, and answers with the help of tools',
    {
      settings: { 'chat.disableAIFeatures': false },
      extensions: [path.join(repoRoot, 'test/fixtures/models')],
    },
    async ({ panel }) => {
      await panel.open();
      await panel.chooseModel('Parrot');
      const button = await panel.locate('[data-role=model]');
      await until('the button to name it', async () => (await button.innerText()).includes('Parrot'));
      await panel.send('What is in src?');
      const card = await panel.waitForTool('fs_ls', 'ok');
      assert.match(card.text, /List src/);
      await panel.waitForText(/I heard: [^]*parseDate\.ts/, 'text');
    },
  );
});
