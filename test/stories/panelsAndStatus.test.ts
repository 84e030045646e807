import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import type { EditorWindow } from '../editor/editorWindow';
import { repeatUntil } from '../editor/repeatUntil';
import { shownPanels } from '../editor/shownPanels';
import { story } from '../editor/story';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model' };
const edit = { name: 'fs_write', arguments: { path: 'a.txt', contents: 'written\n' } };

function status(window: EditorWindow): Promise<string> {
  return window.page.locator('.statusbar-item[id="cairn-agents.cairn.status"]').innerText();
}

describe('Panels and status', () => {
  const scene = chapter({ settings });

  scene(
    'show in the status bar what the agent does, with its model and the tokens of the session',
    [{ call: [edit] }, { say: 'Done.', usage: { input: 1200, output: 34 } }],
    async ({ panel, window }) => {
      await panel.open();
      await until('the model in the status bar', async () => /test-model/.test(await status(window)));
      await panel.send('write it');
      await until('the status to wait', async () => /Waiting for you/.test(await status(window)));
      await panel.approve();
      await panel.waitForText('Done.', 'text');
      await until('the tokens in the status bar', async () => /1\.\dk tokens/.test(await status(window)));
      assert.doesNotMatch(await status(window), /Waiting/);
    },
  );

  scene(
    'start and list sessions and open the settings from the view title, whatever tab was last used',
    [{ say: 'The first answer.' }],
    async ({ panel, window }) => {
      await panel.open();
      await panel.send('the first question');
      await panel.waitForText('The first answer.', 'text');
      await window.command('cairn.openInEditor');
      const shows = async (title: string) =>
        (await shownPanels(window)).filter(({ text }) => text.includes(title)).length;
      await until('the session in a tab too', async () => (await shows('the first question')) === 2);
      await panel.pressInTitle('New Session');
      await until('another one in the view', async () => (await shows('the first question')) === 1);
      await window.command('workbench.action.closeAllEditors');
      await panel.openSession('the first question');
      await panel.waitForText('The first answer.', 'text');
      await panel.openHistory();
      await panel.pressInTitle('Session History');
      await until('the sessions to be gone', async () => (await panel.locate('.sessions')).isHidden());
      await panel.pressInTitle('Open Settings');
      await window.page.locator('.settings-editor .setting-item-label', { hasText: 'Approval Mode' }).first().waitFor();
      // The editor has room for one of the three icons.
      await window.setPanelWidth(220);
      const icon = (name: string) => window.sideBar().locator('.title').getByRole('button', { name, exact: true });
      await until('the settings to be in the menu', async () => (await icon('Open Settings').count()) === 0);
      await panel.newSession();
    },
  );

  scene(
    'notify a user with a hidden panel about a pending approval, and lead to it',
    [{ hold: 'hidden', say: 'One moment. ', call: [edit] }, { say: 'Done.' }],
    async ({ panel, window, model }) => {
      await panel.open();
      await panel.send('write it');
      await panel.waitForText('One', 'text');
      await window.command('workbench.action.closeAuxiliaryBar');
      await until('the panel to be hidden', async () => !(await window.sideBar().isVisible()));
      model.release('hidden');
      await window.command('notifications.showList');
      const note = window.page.locator('.notification-list-item', { hasText: 'Cairn is waiting for your approval' });
      await note.first().waitFor();
      await repeatUntil(
        'the chat to be opened',
        () => note.first().locator('.monaco-button', { hasText: 'Open Chat' }).click({ timeout: 5000 }),
        () => window.sideBar().isVisible(),
        'redrawn',
      );
      await panel.approve();
      await panel.waitForText('Done.', 'text');
    },
  );

  scene(
    'notify a user whose window is in the background, but not one looking at the panel',
    [{ say: 'Seen at once.' }, { hold: 'away', say: 'Seen later.' }],
    async ({ panel, window, model }) => {
      const note = window.page.locator('.notification-list-item', { hasText: 'Cairn has answered' });
      await panel.open();
      await panel.send('first');
      await panel.waitForText('Seen at once.', 'text');
      await panel.send('second');
      await until('the model to be asked', () => Promise.resolve(model.requests.length >= 2));
      await window.page.evaluate(
        "document.hasFocus = () => false; document.dispatchEvent(new Event('visibilitychange'))",
      );
      await until('the window to be in the background', () => window.ev(({ vscode }) => !vscode.window.state.focused));
      model.release('away');
      await panel.waitForText('Seen later.', 'text');
      await window.command('notifications.showList');
      await until('one notification', async () => (await note.count()) === 1);
      await window.page.evaluate("delete document.hasFocus; document.dispatchEvent(new Event('visibilitychange'))");
    },
  );

  scene(
    'show two sessions at once, in the side bar and in an editor tab, also after a reload',
    [{ say: 'First answer.' }, { say: 'Second answer.' }],
    async ({ panel, window }) => {
      await panel.open();
      await panel.send('first');
      await panel.waitForText('First answer.', 'text');
      await window.command('cairn.openInEditor');
      const showing = async (text: string) => (await shownPanels(window)).filter((one) => one.text.includes(text));
      await until('both to show the first session', async () => (await showing('First answer.')).length === 2);
      await window.startCommand('cairn.newSession');
      await until('one to show it still', async () => (await showing('First answer.')).length === 1);
      const fresh = await until('the other to be new', async () =>
        (await shownPanels(window)).find(({ text }) => !text.includes('First answer.')),
      );
      const composer = fresh.frame.getByRole('textbox', { name: 'Message', exact: true });
      await until('the words in it', async () => {
        await composer.fill('second', { timeout: 5000 });
        return (await composer.inputValue({ timeout: 5000 })) === 'second';
      });
      await panel.pressOne('Send', () =>
        Promise.resolve(fresh.frame.getByRole('button', { name: 'Send', exact: true })),
      );
      const both = async () =>
        (await showing('First answer.')).length === 1 && (await showing('Second answer.')).length === 1;
      await until('each to show its own', both);
      await window.reload();
      await panel.open();
      await until('each to show its own after the reload', both, 40_000);
    },
  );

  story(
    'offer a chat button above an editor while the panel is hidden, before the extension is activated',
    {
      settings: { ...settings, 'workbench.secondarySideBar.defaultVisibility': 'hidden' },
      files: { 'a.txt': 'one\n' },
      model: [],
    },
    async ({ panel, window, workspace }) => {
      await window.ev(
        ({ vscode }, file) => vscode.window.showTextDocument(vscode.Uri.file(file)).then(() => null),
        workspace.resolve('a.txt'),
      );
      const way = window.page.locator('.editor-actions').getByRole('button', { name: 'Open Chat' });
      await way.waitFor();
      assert.equal(await window.ev(({ extension }) => extension?.isActive), false);
      await repeatUntil(
        'the chat to be opened',
        () => way.click({ timeout: 5000 }),
        () => window.sideBar().isVisible(),
        'redrawn',
      );
      await panel.composer();
      await until('the way to it to be gone, as it is in sight', async () => !(await way.isVisible()));
    },
  );

  // With `chat.disableAIFeatures`, as set in other stories, the editor shows its own chat there, which is empty until Cairn is
  // chosen.
  story(
    'are never empty: in a new profile, next to the editor’s chat, and after the window is reopened',
    { settings: { ...settings, 'chat.disableAIFeatures': false }, model: [{ say: 'The answer.' }] },
    async ({ panel, window }) => {
      const tab = window.sideBar().getByRole('tab', { name: 'Cairn', exact: true });
      await tab.waitFor();
      assert.equal(await window.ev(({ extension }) => extension?.isActive), false);
      await repeatUntil(
        'the tab of Cairn to be chosen',
        () => tab.click({ timeout: 5000 }),
        async () => (await tab.getAttribute('aria-selected')) === 'true',
        'redrawn',
      );
      await (await panel.composer()).waitFor();
      await panel.send('a question');
      await panel.waitForText('The answer.', 'text');
      await window.reload();
      await (await panel.composer()).waitFor();
      await panel.waitForText('The answer.', 'text');
    },
  );
});
