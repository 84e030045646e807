import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import { focusFile } from '../editor/focusFile';
import { repeatUntil } from '../editor/repeatUntil';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model' };
const files = { 'notes.txt': 'first line\nsecond line\nthird line\n' };
const edit = {
  name: 'fs_edit',
  arguments: { path: 'notes.txt', old_string: 'second line', new_string: 'a better line' },
};

describe('An approval', () => {
  const scene = chapter({ settings, files });

  scene(
    'is requested for a file outside the workspace, with the reason',
    {
      settings: { 'cairn.approvalMode': 'nothing' },
      model: [{ call: [{ name: 'fs_read', arguments: { path: '/etc/hostname' } }] }, { say: 'Not read then.' }],
    },
    async ({ panel }) => {
      await panel.open();
      await panel.send('peek');
      assert.match(await panel.waitForApproval(), /outside the workspace/);
      await panel.reject();
      await panel.waitForText('Not read then.', 'text');
    },
  );

  scene(
    'shows an edit in the editor’s own diff, and the file is written when accepted',
    [{ call: [edit] }, { say: 'Written.' }],
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('make it better');
      const card = await panel.waitForApproval();
      assert.match(card, /edits-and-commands|edit/i);
      await panel.press('Open diff', '[data-approval-id]');
      const inserted = window.page.locator('.monaco-diff-editor .editor.modified .view-line', {
        hasText: /a.better.line/,
      });
      await inserted.waitFor();
      assert.equal(await workspace.read('notes.txt'), files['notes.txt'], 'nothing is written before it is accepted');
      await panel.approve();
      await panel.waitForTool('fs_edit', 'ok');
      assert.equal(await workspace.read('notes.txt'), 'first line\na better line\nthird line\n');
      await until(
        'the diff to be closed',
        async () => (await window.page.locator('.monaco-diff-editor').count()) === 0,
      );
      await panel.waitForText('Written.', 'text');
    },
  );

  scene(
    'can be given in the diff, including the user’s changes to it, and reported to the model',
    [{ call: [edit] }, (request) => ({ say: request.lastText })],
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('make it better');
      await panel.waitForApproval();
      await panel.press('Open diff', '[data-approval-id]');
      await window.page
        .locator('.monaco-diff-editor .editor.modified .view-line', { hasText: /a.better.line/ })
        .waitFor();
      await window.ev(async ({ vscode }) => {
        const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'cairn-proposal');
        if (!document) throw new Error('no proposal is open');
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 0), 'by hand\n');
        await vscode.workspace.applyEdit(edit);
      });
      const accept = window.page.locator(
        '.editor-actions .action-label[aria-label^="Cairn: Approve"], .editor-actions .action-label[aria-label^="Approve"]',
      );
      await repeatUntil(
        'it to be accepted',
        () => accept.first().click({ timeout: 5000 }),
        async () => (await (await panel.locate('[data-approval-id]')).count()) === 0,
        'redrawn',
      );
      await panel.waitForTool('fs_edit', 'ok');
      assert.equal(await workspace.read('notes.txt'), 'by hand\nfirst line\na better line\nthird line\n');
      await panel.waitForText('by hand', 'text');
    },
  );

  scene(
    'can be rejected with a reason, which the model repeats, and then changes nothing',
    [{ call: [edit] }, (request) => ({ say: request.lastText })],
    async ({ panel, workspace }) => {
      await panel.open();
      await panel.send('make it better');
      await panel.reject('leave my notes alone');
      await panel.waitForTool('fs_edit', 'rejected');
      await panel.waitForText('leave my notes alone', 'text');
      assert.equal(await workspace.read('notes.txt'), files['notes.txt']);
    },
  );

  scene(
    'writes through the open editor, including unsaved text, and can be undone',
    [{ call: [edit] }, { say: 'Written.' }],
    async ({ panel, window, workspace }) => {
      await focusFile(window, workspace.resolve('notes.txt'));
      await window.ev(async ({ vscode }, path) => {
        const document = await vscode.workspace.openTextDocument(path);
        const edit = new vscode.WorkspaceEdit();
        edit.insert(document.uri, new vscode.Position(0, 0), 'unsaved\n');
        await vscode.workspace.applyEdit(edit);
      }, workspace.resolve('notes.txt'));
      await panel.open();
      await panel.send('make it better');
      await panel.approve();
      await panel.waitForTool('fs_edit', 'ok');
      assert.equal(await workspace.read('notes.txt'), 'unsaved\nfirst line\na better line\nthird line\n');
      await panel.untilIdle();
      await focusFile(window, workspace.resolve('notes.txt'));
      await window.command('undo');
      const text = () => window.ev(({ vscode }) => vscode.window.activeTextEditor?.document.getText());
      const before = 'unsaved\nfirst line\nsecond line\nthird line\n';
      await until('the edit to be undone', async () => (await text()) === before);
    },
  );
});
