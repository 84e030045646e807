import assert from 'node:assert/strict';
import type { EditorWindow } from '../editor/editorWindow';
import type { Panel } from '../editor/panel';
import { pressInDialog } from '../editor/pressInDialog';
import { story } from '../editor/story';
import { until } from '../editor/until';

const VALUE = 'Zq7Wx9KvJy4Bn2Rt8Lp5';
const NEW_VALUE = 'Hs3Fd6Gm1Tc8Ub5Xe0Ri';

describe('secrets in the editor', () => {
  story(
    'are added, copied, updated and deleted, and no agent reads a value that any of them had',
    {
      settings: { 'cairn.model': 'openai:test-model' },
      model: [{ call: [{ name: 'fs_cat', arguments: { path: 'told.txt' } }] }, { say: 'I have read it.' }],
    },
    async ({ window, panel, workspace, model }) => {
      await workspace.write('told.txt', `old ${VALUE} new ${NEW_VALUE}\n`);
      await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await panel.open();
      await add(window, panel, 'DEPLOY_TOKEN', VALUE);
      await act(window, panel, 'Copy Value');
      await until('the value to be on the clipboard', async () => (await clipboard(window)) === VALUE);

      await act(window, panel, 'Update Value');
      await panel.giveInput(NEW_VALUE);
      await seen(window, 'The secret DEPLOY_TOKEN is kept with its new value.');
      await act(window, panel, 'Copy Value');
      await until('the new value to be on the clipboard', async () => (await clipboard(window)) === NEW_VALUE);

      await act(window, panel, 'Delete');
      await pressInDialog(window, 'Delete');
      await seen(window, 'The secret DEPLOY_TOKEN is deleted.');
      await window.startCommand('cairn.manageSecrets');
      const list = window.page.locator('.quick-input-widget:visible');
      await list.getByText('Add Secret…').waitFor();
      assert.equal(await list.getByText('DEPLOY_TOKEN').count(), 0);
      await window.page.keyboard.press('Escape');

      await panel.send('Read it.');
      await panel.waitForText('I have read it.', 'text');
      assert.match(model.requests[1]?.lastText ?? '', /old ••• new •••/);
    },
  );

  story(
    'with the name of the variable of a key are that key',
    { settings: { 'cairn.model': 'openai:test-model' }, key: false, model: [{ say: 'The key fits.' }] },
    async ({ window, panel, model }) => {
      await panel.open();
      await add(window, panel, 'OPENAI_API_KEY', 'test-key');
      await panel.send('hello');
      await panel.waitForText('The key fits.', 'text');
      assert.equal(model.requests[0]?.headers.authorization, 'Bearer test-key');
      await window.startCommand('cairn.manageSecrets');
      await window.page.locator('.quick-input-widget').getByText('used as the API key for OpenAI').waitFor();
      await window.page.keyboard.press('Escape');
    },
  );

  story('have names that can stand between braces, each once', {}, async ({ window, panel }) => {
    await panel.open();
    await add(window, panel, 'DEPLOY_TOKEN', VALUE);
    const box = window.page.locator('.quick-input-widget:visible');
    for (const [name, problem] of [
      ['{TOKEN}', 'without braces'],
      ['DEPLOY_TOKEN', 'There is a secret DEPLOY_TOKEN already.'],
    ] as const) {
      await window.startCommand('cairn.addSecret');
      await box.locator('input.input').waitFor();
      await box.locator('input.input').fill(name);
      await box.getByText(problem).waitFor();
      await window.page.keyboard.press('Escape');
      await box.waitFor({ state: 'hidden' });
    }
  });
});

async function add(window: EditorWindow, panel: Panel, name: string, value: string): Promise<void> {
  await window.startCommand('cairn.addSecret');
  await panel.giveInput(name);
  await window.page.locator('.quick-input-widget input[type=password]').waitFor();
  await panel.giveInput(value);
  await seen(window, `The secret ${name} is kept.`);
}

/** Does one thing with the only secret there is. */
async function act(window: EditorWindow, panel: Panel, action: string): Promise<void> {
  await window.startCommand('cairn.manageSecrets');
  await panel.pick('DEPLOY_TOKEN');
  await panel.pick(action);
}

async function seen(window: EditorWindow, text: string): Promise<void> {
  await window.command('notifications.showList');
  await window.page.locator('.notification-list-item', { hasText: text }).first().waitFor();
  await window.command('notifications.clearAll');
}

function clipboard(window: EditorWindow): Promise<unknown> {
  return window.ev(({ vscode }) => vscode.env.clipboard.readText());
}
