import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chapter } from '../editor/chapter';
import { QuickList } from '../support/quickList';
import { repeatUntil } from '../editor/repeatUntil';
import { story } from '../editor/story';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model' };

describe('Models over HTTP', () => {
  const scene = chapter({ settings });

  for (const provider of ['openai', 'anthropic']) {
    scene(
      `stream an answer of ${provider} with the card of a tool`,
      {
        settings: { 'cairn.model': `${provider}:test-model` },
        model: [
          { say: 'I look into the folder.', call: [{ name: 'fs_ls', arguments: { path: 'src' } }] },
          { say: 'It has a **parser**:\n\n```ts\nexport const answer = 42;\n```\n' },
        ],
      },
      async ({ panel, model }) => {
        await panel.open();
        await panel.send('What is in src?');
        const card = await panel.waitForTool('fs_ls', 'ok');
        assert.match(card.text, /List src/);
        await panel.waitForText('export const answer = 42;', 'text');
        const code = await panel.locate('article[data-kind=text] code .hljs-keyword');
        await until('the code to be coloured', async () => (await code.count()) > 0);
        assert.equal(await (await panel.locate('article[data-kind=text] strong')).innerText(), 'parser');
        assert.equal(model.requests.at(-1)?.dialect, provider === 'openai' ? 'chat' : 'messages');
        assert.match(model.requests[1]?.lastText ?? '', /parseDate\.ts/);
      },
    );
  }

  story(
    'use a key entered by command, and keep it out of every file',
    { settings, key: false, model: [{ say: 'The key fits.' }] },
    async ({ panel, window, session, model }) => {
      await panel.open();
      await panel.send('hello');
      const notice = await panel.waitForText('No API key is set for OpenAI', 'notice');
      assert.match(notice.text, /Set API Key/);
      await panel.press('Set API key');
      await panel.pick('OpenAI');
      await panel.giveInput('test-key');
      await window.page.getByText('OpenAI API key saved').first().waitFor();
      await panel.send('and now?');
      await panel.waitForText('The key fits.', 'text');
      assert.equal(model.requests[0]?.headers.authorization, 'Bearer test-key');
      // A file may be replaced while it is being read.
      const kept = await until('the message to be kept', async () => {
        const text = await textBelow(session.configDir);
        return text.includes('and now?') ? text : undefined;
      });
      assert.doesNotMatch(kept, /test-key/);
    },
  );

  story(
    'report why a key was rejected, do not store it, and accept the next one',
    {
      settings,
      key: false,
      model: [{ when: ({ tools }) => tools.length === 0, step: { say: 'Tried.' } }, { say: 'The key fits.' }],
    },
    async ({ panel, window, session, model }) => {
      await panel.open();
      await window.startCommand('cairn.setApiKey');
      await panel.pick('OpenAI');
      const box = window.page.locator('.quick-input-widget:visible');
      await box.getByText('Get a key at platform.openai.com/api-keys.').waitFor();
      await box.locator('a[aria-label="Open the page for OpenAI keys"]').waitFor();
      await panel.giveInput('wrong-key');
      await window.command('notifications.showList');
      const note = window.page.locator('.notification-list-item', { hasText: 'API key not saved.' }).first();
      await note.waitFor();
      assert.match(await note.innerText(), /OpenAI[^]*key/);
      await repeatUntil(
        'another key to be asked for',
        () => note.locator('.monaco-button', { hasText: 'Try Another Key' }).click({ timeout: 5000 }),
        () => window.page.locator('.quick-input-widget').isVisible(),
        'redrawn',
      );
      await panel.giveInput('test-key');
      await window.command('notifications.showList');
      await window.page.locator('.notification-list-item', { hasText: 'Key works.' }).first().waitFor();
      // It covers the Send button.
      await window.command('notifications.hideList');
      await panel.send('hello');
      await panel.waitForText('The key fits.', 'text');
      assert.equal(model.requests[0]?.headers.authorization, 'Bearer test-key');
      assert.doesNotMatch(await textBelow(session.configDir), /wrong-key/);
      const list = new QuickList(window);
      await list.open('cairn.setApiKey');
      await list.waitForRow(/^OpenAI\W*key saved/);
      assert.equal((await list.rows()).filter((row) => row.includes('key saved')).length, 1);
    },
  );

  story(
    'report that a key is wrong and offer to set it',
    { settings, model: [], env: { OPENAI_API_KEY: 'wrong' } },
    async ({ panel }) => {
      await panel.open();
      await panel.send('hello');
      const notice = await panel.waitForText(/key/i, 'notice');
      assert.doesNotMatch(notice.text, /unexpected|undefined/i);
      await (await panel.button('Set API key')).waitFor();
    },
  );

  story(
    'report that a base URL is wrong and lead to its setting',
    { settings: { ...settings, 'cairn.openai.baseUrl': 'http://127.0.0.1:9/v1' }, model: [] },
    async ({ panel, window }) => {
      await panel.open();
      await panel.send('hello');
      await panel.waitForText('Check the base URL', 'notice');
      await (await panel.button('Try again')).waitFor();
      await panel.press('Open settings');
      await window.page.locator('.settings-editor .setting-item-label', { hasText: 'Base Url' }).first().waitFor();
    },
  );

  scene(
    'continue after a broken stream, keeping the partial answer',
    [{ say: 'Half of the answer', chunk: 8, fail: 'cut-after' }, { say: 'And the rest of it.' }],
    async ({ panel }) => {
      await panel.open();
      await panel.send('tell me');
      await panel.waitForText('Half of', 'text');
      await panel.press('Continue');
      await panel.waitForText('And the rest of it.', 'text');
      await panel.waitForText('Half of', 'text');
    },
  );

  scene(
    'are listed with the current one first, by provider, and those without a key behind one row',
    [{ say: 'Still here.' }],
    async ({ panel, window }) => {
      await panel.open();
      const list = new QuickList(window);
      await list.open('cairn.chooseModel');
      await list.waitForRow(/GPT-/);
      const rows = await list.rows();
      assert.match(rows[0] ?? '', /test-model.*openai:test-model.*Current/);
      assert.ok(!rows.some((row) => row.includes('needs an API key')), rows.join('\n'));
      assert.ok(
        rows.some((row) => /openai:gpt-\S+ · [\d.]+[kM] context · \$[\d.]+ in, \$[\d.]+ out/.test(row)),
        rows.join('\n'),
      );
      await list.input().press('Enter');
      await until('the list to close', () => list.input().isHidden());
      const button = await panel.locate('[data-role=model]');
      await until('the same model', async () => /test-model/.test(await button.innerText()));
      await list.open('cairn.chooseModel');
      await list.input().fill('claude');
      await list.waitForRow('Add an API Key…');
      await until('all providers to have answered', async () => {
        const progress = window.page.locator('.quick-input-widget:visible .monaco-progress-container.active');
        return (await progress.count()) === 0;
      });
      assert.deepEqual(
        (await list.rows()).filter((row) => row.includes('$(')),
        [],
      );
    },
  );

  scene(
    'can be changed from the panel for this session',
    [{ say: 'Hello from the other side.' }],
    async ({ panel, model }) => {
      await panel.open();
      await panel.chooseModel('Other Model…');
      await panel.giveInput('anthropic:other-model');
      await until('the button to name it', async () =>
        (await (await panel.locate('[data-role=model]')).innerText()).includes('other-model'),
      );
      await panel.send('who are you?');
      await panel.waitForText('Hello from the other side.', 'text');
      assert.equal(model.requests[0]?.model, 'other-model');
    },
  );
});

/** The text of all files in a folder, except those deleted before they are read, such as locks. */
async function textBelow(folder: string): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const gone = (error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  };
  return (await Promise.all(files.map((file) => readFile(file, 'utf8').catch(gone)))).join('\n');
}
