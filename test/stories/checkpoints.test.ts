import assert from 'node:assert/strict';
import type { CairnApi } from '../../src/library/cairnApi';
import { chapter } from '../editor/chapter';
import type { EditorWindow } from '../editor/editorWindow';
import type { Panel } from '../editor/panel';
import { pressInDialog } from '../editor/pressInDialog';
import { repeatUntil } from '../editor/repeatUntil';
import { until } from '../editor/until';

const read = { name: 'fs_read', arguments: { path: 'notes.txt' } };
const write = { name: 'fs_write', arguments: { path: 'notes.txt', contents: 'by the agent\n' } };
const freely = { 'cairn.approvalMode': 'nothing' };
const files = { 'notes.txt': 'mine\n' };
const written = [{ call: [read] }, { call: [write] }, { say: 'Written.' }];

/** Runs as another extension would, even while a modal dialog is open. */
async function runMeanwhile(window: EditorWindow, title: string): Promise<void> {
  await window.ev(async ({ vscode }, wanted) => {
    const cairn = await vscode.extensions.getExtension<CairnApi>('cairn-agents.cairn')?.activate();
    const sessions = await cairn?.getApi(2).sessions.list();
    const session = sessions?.find((one) => one.title === wanted);
    if (!session) throw new Error(`There is no session “${wanted}”.`);
    await cairn?.run({ input: 'go on meanwhile', sessionId: session.id });
    return null;
  }, title);
}

async function turn(panel: Panel, message: string, answer: string): Promise<void> {
  await panel.send(message);
  await panel.waitForText(answer, 'text');
  await until('the end of the turn', async () => (await panel.button('Send')).isVisible());
}

describe('Checkpoints', () => {
  const scene = chapter({ settings: { 'cairn.model': 'openai:test-model' }, files });

  scene(
    'restore the files to before a message, and continue from there in a new session',
    {
      settings: freely,
      model: [{ say: 'Hello.' }, ...written, { say: 'From before.' }],
    },
    async ({ panel, window, workspace, model }) => {
      await panel.open();
      await turn(panel, 'hello', 'Hello.');
      await turn(panel, 'write it down', 'Written.');
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

  scene(
    'restore nothing if a run started during the confirmation, and say so',
    { settings: freely, model: [...written, { hold: 'meanwhile', say: 'At work.' }] },
    async ({ panel, window, workspace, model }) => {
      await panel.open();
      await turn(panel, 'write it down', 'Written.');
      await window.startCommand('cairn.restoreCheckpoint');
      await panel.pick('write it down');
      await window.page.locator('.monaco-dialog-box').waitFor();
      await runMeanwhile(window, 'write it down');
      await pressInDialog(window, 'Restore Files');
      const note = window.page.locator('.notification-list-item', { hasText: 'The agent is running in this session.' });
      await until('the reason why nothing was put back', async () => {
        await window.command('notifications.showList');
        return note.first().isVisible();
      });
      assert.equal(await workspace.read('notes.txt'), 'by the agent\n');
      model.release('meanwhile');
      await panel.waitForText('At work.', 'text');
    },
  );

  scene(
    'send no edited message if a run started during the confirmation',
    { settings: freely, model: [...written, { hold: 'meanwhile', say: 'At work.' }] },
    async ({ panel, window, workspace, model }) => {
      await panel.open();
      await turn(panel, 'write it down', 'Written.');
      await workspace.write('notes.txt', 'mine again\n');
      const frame = await panel.frame();
      const box = frame.getByRole('textbox', { name: 'Edit message' });
      await repeatUntil(
        'the message to be edited',
        async () => (await panel.button('Edit message')).press('Enter', { timeout: 5000 }),
        () => box.isVisible(),
        'redrawn',
      );
      await frame.getByRole('checkbox', { name: /Also restore notes\.txt/ }).check();
      await box.fill('do it otherwise');
      await repeatUntil(
        'the question',
        () => box.press('Enter', { timeout: 5000 }),
        () => window.page.locator('.monaco-dialog-box').isVisible(),
        'redrawn',
      );
      await runMeanwhile(window, 'write it down');
      await pressInDialog(window, 'Restore Anyway');
      await frame.getByText('The agent is running in this session. Stop it first, then send again.').waitFor();
      assert.equal(await workspace.read('notes.txt'), 'mine again\n');
      model.release('meanwhile');
      await panel.waitForText('At work.', 'text');
    },
  );
});
