import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import { pressChord } from '../editor/pressChord';
import { pressInDialog } from '../editor/pressInDialog';
import { pressKey } from '../editor/pressKey';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model' };
const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const written = (changes: Readonly<Record<number, string>>) =>
  `${lines.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;
const write = (path: string, contents: string) => ({ name: 'fs_write', arguments: { path, contents } });
const read = (path: string) => ({ name: 'fs_read', arguments: { path } });
const files = { 'notes.txt': written({}), 'other.txt': 'one\n' };
const contents = written({ 3: 'better three', 25: 'better twenty-five' });
const readBoth = { call: [read('notes.txt'), read('other.txt')] };
const told = (request: { lastText: string }) => ({ say: request.lastText });

describe('Edit cards', () => {
  const scene = chapter({ settings, files, viewport: { width: 1900, height: 1000 } });

  scene(
    'undo a turn from its end: the files are listed and restored',
    {
      settings: { 'cairn.approvalMode': 'nothing' },
      model: [readBoth, { call: [write('other.txt', 'two\n'), write('new.txt', 'new\n')] }, { say: 'Done.' }],
    },
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('change it');
      await panel.waitForText('Done.', 'text');
      await panel.press('Restore checkpoint…');
      const dialog = window.page.locator('.monaco-dialog-box');
      await dialog
        .filter({ hasText: 'Will be restored: other.txt' })
        .filter({ hasText: 'Will be deleted: new.txt' })
        .waitFor();
      await pressInDialog(window, 'Restore Files');
      await until('the file to be back', async () => (await workspace.read('other.txt')) === 'one\n');
      const isGone = () =>
        workspace.read('new.txt').then(
          () => false,
          () => true,
        );
      await until('the new file to be gone', isGone);
    },
  );

  scene(
    'accept one change and leave the other out, in the diff too, and inform the model',
    [{ call: [read('notes.txt')] }, { call: [write('notes.txt', contents)] }, told],
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('make it better');
      await panel.waitForApproval();
      await pressKey((await panel.frame()).getByRole('checkbox', { name: 'Keep change 2 of 2' }), 'Space');
      await (await panel.button('Accept 1 of 2')).waitFor();
      await panel.press('Open diff', '[data-approval-id]');
      const take = window.page.locator('.monaco-diff-editor .codelens-decoration a', { hasText: 'Keep' });
      await until('one change in the diff', async () => (await take.count()) === 1);
      await panel.accept('Accept 1 of 2');
      await panel.waitForTool('fs_write', 'ok');
      assert.equal(await workspace.read('notes.txt'), written({ 3: 'better three' }));
      await panel.waitForText('The user changed your proposal', 'text');
      await panel.pressOne('left out', async () => (await panel.frame()).getByText('1 of 2 changes left out'));
      await (await panel.frame()).getByRole('group', { name: 'Not written' }).getByText('better twenty-five').waitFor();
    },
  );

  scene(
    'list two files in one card, where one is accepted and the other rejected',
    [readBoth, { call: [write('notes.txt', contents), write('other.txt', 'two\n')] }, told],
    async ({ panel, workspace }) => {
      await panel.open();
      await panel.send('change both');
      const frame = await panel.frame();
      await frame.getByRole('button', { name: 'Accept notes.txt' }).waitFor();
      assert.equal(await frame.locator('.card.edits').count(), 1);
      await panel.press('Reject other.txt');
      await panel.accept('Accept notes.txt');
      await panel.waitForTool('fs_write', 'ok');
      await panel.waitForTool('fs_write', 'rejected');
      await panel.waitForText('The user refused', 'text');
      assert.equal(await workspace.read('notes.txt'), contents);
      assert.equal(await workspace.read('other.txt'), 'one\n');
    },
  );

  scene(
    'are answered by keys in the focused diff, whichever edit was requested first',
    [readBoth, { call: [write('notes.txt', contents), write('other.txt', 'two\n')] }, told],
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('change both');
      const answerInDiff = async (file: string, key: string) => {
        const accept = await panel.button(`Accept ${file}`);
        await accept.waitFor();
        await panel.press(`Open diff of ${file}`);
        const tab = window.page.locator('.tabs-container .tab.active', { hasText: file });
        await tab.waitFor();
        await window.page.locator('.monaco-diff-editor .editor.modified .focused').first().waitFor();
        await pressChord(window, ['Control+k', key], async () => (await accept.count()) === 0);
      };
      await answerInDiff('other.txt', 'Control+y');
      await answerInDiff('notes.txt', 'Control+Shift+Y');
      await panel.waitForTool('fs_write', 'rejected');
      await panel.waitForText('Wrote other.txt', 'text');
      assert.equal(await workspace.read('notes.txt'), files['notes.txt']);
      assert.equal(await workspace.read('other.txt'), 'two\n');
    },
  );

  scene(
    'reject the remaining files with one reason, which the model receives',
    [readBoth, { call: [write('notes.txt', contents), write('other.txt', 'two\n')] }, told],
    async ({ panel, workspace }) => {
      await panel.open();
      await panel.send('change both');
      await panel.accept('Accept notes.txt');
      await panel.waitForTool('fs_write', 'ok');
      await panel.press('Reject all with reason…');
      await panel.giveReason('leave the other alone');
      await panel.waitForText('leave the other alone', 'text');
      assert.equal(await workspace.read('notes.txt'), contents);
      assert.equal(await workspace.read('other.txt'), 'one\n');
    },
  );

  scene(
    'accept all files at once, also after a reload of the panel',
    [readBoth, { call: [write('notes.txt', contents), write('other.txt', 'two\n')] }, { say: 'Done.' }],
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('change both');
      await (await panel.button('Accept all')).waitFor();
      await window.reloadWebviews();
      await panel.accept('Accept all');
      await panel.waitForText('Done.', 'text');
      assert.equal(await workspace.read('notes.txt'), contents);
      assert.equal(await workspace.read('other.txt'), 'two\n');
    },
  );
});
