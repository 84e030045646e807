import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { chapter } from '../editor/chapter';
import { story } from '../editor/story';
import type { EditorWindow } from '../editor/editorWindow';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model' };

/** Everything of this story that the next one could notice. */
function traces(window: EditorWindow) {
  return window.ev(({ vscode }) => {
    const read = vscode.workspace.getConfiguration();
    return {
      size: read.get('editor.fontSize'),
      models: read.get('cairn.models'),
      tabs: vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length,
      terminals: vscode.window.terminals.length,
      left: process.env['CAIRN_LEFT'] ?? '',
    };
  });
}

describe('An editor shared by stories', () => {
  story(
    'is left with settings, an unsaved file, another layout and a conversation',
    { settings, model: [{ say: 'Words of the first.' }], env: { CAIRN_LEFT: 'left' } },
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('first');
      await panel.waitForText('Words of the first.', 'text');
      await window.setSetting('editor.fontSize', 31);
      await window.setSetting('cairn.models', [{ id: 'openai:left', label: 'Left' }]);
      await workspace.write('left.txt', 'on disk');
      await window.ev(async ({ vscode }) => {
        const document = await vscode.workspace.openTextDocument({ content: 'not saved' });
        await vscode.window.showTextDocument(document);
      });
      await window.command('workbench.action.toggleSidebarVisibility');
      await until('the side bar to be hidden', async () => !(await window.page.locator('.part.sidebar').isVisible()));
      const left = { size: 31, models: [{ id: 'openai:left', label: 'Left' }], tabs: 1, terminals: 0, left: 'left' };
      await until('all of it', async () => isDeepStrictEqual(await traces(window), left));
    },
  );

  story('is like new for the next one', { settings, model: [] }, async ({ panel, window, workspace }) => {
    await panel.open();
    assert.deepEqual(await traces(window), { size: 14, models: [], tabs: 0, terminals: 0, left: '' });
    assert.deepEqual(await panel.entries(), []);
    assert.ok(await window.page.locator('.part.sidebar').isVisible());
    assert.ok(!workspace.exists('left.txt'));
    await panel.openHistory();
    const rows = async () => (await panel.locate('.session-row')).count();
    await until('the list of sessions', async () =>
      /No sessions|nothing/i.test(await (await panel.locate('main.panel')).innerText()),
    );
    assert.equal(await rows(), 0);
  });
});

describe('A window shared by stories', () => {
  const files = { 'kept.txt': 'as it was\n' };
  const scene = chapter({ settings, files });
  const hosts: number[] = [];
  const asNew = { size: 14, models: [], tabs: 0, terminals: 0, left: '' };

  scene(
    'is left with files, an unsaved text, a terminal, a notice, a draft and a conversation',
    [{ say: 'Words of the first.' }],
    async ({ panel, window, workspace }) => {
      hosts.push(await window.ev(() => process.pid));
      await panel.open();
      await panel.send('first');
      await panel.waitForText('Words of the first.', 'text');
      await workspace.write('left.txt', 'on disk');
      await workspace.write('kept.txt', 'changed');
      await window.ev(async ({ vscode }) => {
        vscode.window.createTerminal('left').show();
        void vscode.window.showInformationMessage('A notice that was left.', 'Button');
        const document = await vscode.workspace.openTextDocument({ content: 'not saved' });
        await vscode.window.showTextDocument(document);
        return null;
      });
      await window.page.getByText('A notice that was left.').first().waitFor();
      await (await panel.composer()).fill('a draft');
      const left = { ...asNew, tabs: 1, terminals: 1 };
      await until('all of it', async () => isDeepStrictEqual(await traces(window), left));
    },
  );

  scene('is like new for the next one, which leaves a setting', [], async ({ panel, window, workspace }) => {
    hosts.push(await window.ev(() => process.pid));
    assert.equal(hosts[1], hosts[0]);
    await panel.open();
    assert.deepEqual(await traces(window), asNew);
    assert.deepEqual(await panel.entries(), []);
    assert.equal(await (await panel.composer()).inputValue(), '');
    assert.equal(await window.page.locator('.notification-toast').count(), 0);
    assert.ok(!workspace.exists('left.txt'));
    assert.equal(await workspace.read('kept.txt'), files['kept.txt']);
    await window.setSetting('editor.fontSize', 31);
    await until('the setting', async () => (await traces(window)).size === 31);
  });

  scene('is replaced after a setting was left', [], async ({ window }) => {
    assert.ok(!hosts.includes(await window.ev(() => process.pid)));
    assert.deepEqual(await traces(window), asNew);
  });
});
