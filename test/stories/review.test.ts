import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { chapter } from '../editor/chapter';
import type { EditorWindow } from '../editor/editorWindow';
import type { Panel } from '../editor/panel';
import { pressToAllow } from '../editor/pressToAllow';
import { repeatUntil } from '../editor/repeatUntil';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model' };
const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const files = { 'notes.txt': `${lines.join('\n')}\n` };
const written = (changes: Readonly<Record<number, string>>) =>
  `${lines.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;
const contents = written({ 3: 'better three', 25: 'better twenty-five' });
const read = { name: 'fs_read', arguments: { path: 'notes.txt' } };
const write = { name: 'fs_write', arguments: { path: 'notes.txt', contents } };
const model = [{ call: [read] }, { call: [write] }, (request: { lastText: string }) => ({ say: request.lastText })];
const options = { settings, files, viewport: { width: 1900, height: 1000 } };

/** Opens the diff of the edit that the agent proposes. */
async function openDiff(panel: Panel, window: EditorWindow): Promise<void> {
  await panel.open();
  await panel.send('make it better');
  await panel.waitForApproval();
  await panel.press('Open diff', '[data-approval-id]');
  await lens(window, 'Keep').nth(1).waitFor();
}

function lens(window: EditorWindow, text: string): Locator {
  return window.page.locator('.monaco-diff-editor .codelens-decoration a', { hasText: text });
}

/** Clicks a lens above a change until it has taken effect. */
function takeLens(window: EditorWindow, text: string, at: number, hasEffect: () => Promise<boolean>): Promise<void> {
  return repeatUntil(
    `“${text}” to be taken`,
    () => lens(window, text).nth(at).click({ timeout: 5000 }),
    hasEffect,
    'redrawn',
  );
}

async function oneIsLeft(window: EditorWindow): Promise<boolean> {
  return (await lens(window, 'Undo').count()) === 1;
}

/** Types into the file itself, as if in another editor; saved if `save` is true. */
function typeInFile(window: EditorWindow, path: string, line: number, text: string): Promise<null> {
  return window.ev(
    async ({ vscode }, typed) => {
      const document = await vscode.workspace.openTextDocument(typed.path);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, document.lineAt(typed.line - 1).range, typed.text);
      await vscode.workspace.applyEdit(edit);
      return null;
    },
    { path, line, text },
  );
}

function proposalText(window: EditorWindow): Promise<string> {
  return window.ev(
    ({ vscode }) => vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'cairn-proposal')?.getText() ?? '',
  );
}

describe('The review in the diff editor', () => {
  const scene = chapter(options);

  scene('accepts one change, leaves the other out, and informs the model', model, async (told) => {
    const { panel, window, workspace } = told;
    await openDiff(panel, window);
    await takeLens(window, 'Keep', 0, () => lens(window, 'Kept').isVisible());
    await takeLens(window, 'Undo', 1, () => oneIsLeft(window));
    const isClosed = async () => (await (await panel.locate('[data-approval-id]')).count()) === 0;
    await takeLens(window, 'Accept 1 change', 0, isClosed);
    await panel.waitForTool('fs_write', 'ok');
    assert.equal(await workspace.read('notes.txt'), written({ 3: 'better three' }));
    await panel.waitForText('The user changed your proposal', 'text');
    await panel.waitForText('line 25', 'text');
  });

  scene(
    'has the lenses of a new function directly above its first highlighted line, which is blank',
    {
      files: { 'blocks.txt': 'one {\n  1\n}\n\nthree {\n  3\n}\n' },
      model: [
        { call: [{ name: 'fs_read', arguments: { path: 'blocks.txt' } }] },
        {
          call: [
            {
              name: 'fs_write',
              arguments: { path: 'blocks.txt', contents: 'one {\n  1\n}\n\ntwo {\n  2\n}\n\nthree {\n  3\n}\n' },
            },
          ],
        },
        { say: 'Left.' },
      ],
    },
    async ({ panel, window }) => {
      await panel.open();
      await panel.send('add the second');
      await panel.waitForApproval();
      await panel.press('Open diff', '[data-approval-id]');
      const inserted = window.page.locator('.monaco-diff-editor .editor.modified .line-insert').first();
      const gap = async () => {
        const [above, below] = [await lens(window, 'Keep').first().boundingBox(), await inserted.boundingBox()];
        return above && below ? Math.abs(below.y - above.y - above.height) : Infinity;
      };
      await until('no line between the two', async () => (await gap()) < 8);
      await panel.reject();
      await panel.waitForText('Left.', 'text');
    },
  );

  scene('leaves a change out with the editor’s own arrow', model, async ({ panel, window, workspace }) => {
    await openDiff(panel, window);
    const arrow = window.page.locator('.gutterItem [aria-label="Revert Block"]').first();
    const line = window.page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: /better.three/ });
    const press = async () => {
      await line.hover({ timeout: 5000 });
      await arrow.click({ force: true, timeout: 5000 });
    };
    await repeatUntil('one change to be left', press, () => oneIsLeft(window), 'redrawn');
    await panel.approve();
    await panel.waitForTool('fs_write', 'ok');
    assert.equal(await workspace.read('notes.txt'), written({ 25: 'better twenty-five' }));
  });

  scene(
    'keeps what the user types into the file in the meantime, and merges it into the proposal',
    model,
    async ({ panel, window, workspace }) => {
      await openDiff(panel, window);
      await typeInFile(window, workspace.resolve('notes.txt'), 10, 'mine');
      await until('the proposal to follow', async () => (await proposalText(window)).includes('mine'));
      await panel.approve();
      await panel.waitForTool('fs_write', 'ok');
      const both = written({ 3: 'better three', 10: 'mine', 25: 'better twenty-five' });
      assert.equal(await workspace.read('notes.txt'), both);
      await panel.waitForText('mine', 'text');
    },
  );

  scene(
    'never overwrites lines that the user also changed until the user decides',
    model,
    async ({ panel, window, workspace }) => {
      await openDiff(panel, window);
      await typeInFile(window, workspace.resolve('notes.txt'), 3, 'my three');
      await lens(window, 'You changed this too').waitFor();
      const accept = async () => (await panel.locate('[data-approval-id]')).getByRole('button', { name: 'Accept' });
      await repeatUntil(
        'the panel to say why not',
        async () => pressToAllow((await accept()).first()),
        async () => /Keep or undo those changes/.test(await (await panel.locate('body')).innerText()),
        'redrawn',
      );
      assert.doesNotMatch(await workspace.read('notes.txt'), /better/);
      await takeLens(window, 'Keep mine', 0, () => oneIsLeft(window));
      await panel.approve();
      await panel.waitForTool('fs_write', 'ok');
      assert.equal(await workspace.read('notes.txt'), written({ 3: 'my three', 25: 'better twenty-five' }));
    },
  );

  scene(
    'reports a whitespace-only change, which the diff does not show',
    [
      { call: [read] },
      { call: [{ name: 'fs_write', arguments: { path: 'notes.txt', contents: written({ 3: '  line 3' }) } }] },
      { say: 'Left.' },
    ],
    async ({ panel, window }) => {
      await panel.open();
      await panel.send('indent it');
      await panel.waitForApproval();
      await panel.press('Open diff', '[data-approval-id]');
      await lens(window, 'Keep (white space only)').waitFor();
      await panel.reject();
      await panel.waitForText('Left.', 'text');
    },
  );

  // Last, because the approval keeps waiting.
  scene('closes the diff of an obsolete proposal after a reload', model, async ({ panel, window }) => {
    await openDiff(panel, window);
    await typeInProposal(window);
    await window.reload();
    await panel.open();
    const tabs = window.page.locator('.tabs-container .tab', { hasText: 'proposed by' });
    await until('the old diff to be closed', async () => (await tabs.count()) === 0);
    assert.equal(await window.page.locator('.monaco-dialog-box').count(), 0);
  });
});

/** Leaves the tab unsaved, so that it is restored with the typed text. */
function typeInProposal(window: EditorWindow): Promise<null> {
  return window.ev(async ({ vscode }) => {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'cairn-proposal');
    if (!document) throw new Error('no proposal is open');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'by hand\n');
    await vscode.workspace.applyEdit(edit);
    return null;
  });
}
