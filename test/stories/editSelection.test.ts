import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { chapter } from '../editor/chapter';
import type { EditorWindow } from '../editor/editorWindow';
import { textEditorFocused } from '../editor/focusFile';
import { pressChord } from '../editor/pressChord';
import { repeatUntil } from '../editor/repeatUntil';
import { story } from '../editor/story';
import { until } from '../editor/until';
import type { WorkspaceFolder } from '../editor/workspaceFolder';
import type { Step, WhenStep } from '../support/modelServer/story';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model' };
const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const before = `${lines.join('\n')}\n`;
const written = (changes: Readonly<Record<number, string>>) =>
  `${lines.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;
const options = { settings, files: { 'notes.txt': before }, viewport: { width: 1900, height: 1000 } };
/** Lines 3 to 12 with two of them changed, in a code fence. */
const answer = `\`\`\`text\n${written({ 4: 'better four', 11: 'better eleven' }).split('\n').slice(2, 12).join('\n')}\n\`\`\``;

/** Not UTF-8, which the editor takes every file for. */
const LATIN = Buffer.from('caf\u00e9\ntwo\n', 'latin1');

/** Answers requests to edit a selection. */
function answers(step: Step, wish = ''): WhenStep {
  return {
    when: ({ lastText }) => lastText.includes('What the user wants') && lastText.includes(wish),
    step,
  };
}

function lens(window: EditorWindow, text: string): Locator {
  return window.page.locator('.monaco-diff-editor .codelens-decoration a', { hasText: text });
}

/** Has lines of the file edited, 1-based. */
async function edit(window: EditorWindow, workspace: WorkspaceFolder, wish: string, first = 3, last = 12) {
  await select(window, workspace, first, last);
  const list = new QuickList(window);
  await list.open('cairn.editSelection');
  await list.answer(wish);
}

async function select(
  window: EditorWindow,
  workspace: WorkspaceFolder,
  first: number,
  last: number,
  name = 'notes.txt',
): Promise<void> {
  await window.ev(
    async ({ vscode }, place) => {
      const selection = new vscode.Range(place.first - 1, 0, place.last, 0);
      await vscode.window.showTextDocument(vscode.Uri.file(place.path), { selection, preview: false });
      return null;
    },
    { path: workspace.resolve(name), first, last },
  );
}

/** Types into the file itself, as if in another editor. */
function typeInFile(window: EditorWindow, workspace: WorkspaceFolder, line: number, text: string): Promise<null> {
  return window.ev(
    async ({ vscode }, typed) => {
      const document = await vscode.workspace.openTextDocument(typed.path);
      const change = new vscode.WorkspaceEdit();
      change.replace(document.uri, document.lineAt(typed.line - 1).range, typed.text);
      await vscode.workspace.applyEdit(change);
      return null;
    },
    { path: workspace.resolve('notes.txt'), line, text },
  );
}

function textOf(window: EditorWindow, scheme: string): Promise<string> {
  return window.ev(
    ({ vscode }, wanted) =>
      vscode.workspace.textDocuments
        .find(({ uri, isClosed }) => uri.scheme === wanted && !isClosed && uri.path.endsWith('notes.txt'))
        ?.getText() ?? '',
    scheme,
  );
}

async function waitForDiff(window: EditorWindow, text: string): Promise<void> {
  await until(`“${text}” in the diff`, async () => (await textOf(window, 'cairn-proposal')).includes(text));
}

function isDiffClosed(window: EditorWindow): Promise<boolean> {
  return window.ev(
    ({ vscode }) =>
      !vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .some(({ input }) => input instanceof vscode.TabInputTextDiff),
  );
}

async function waitForNoDiff(window: EditorWindow): Promise<void> {
  await until('the diff to be closed', () => isDiffClosed(window));
}

async function waitForNote(window: EditorWindow, text: string): Promise<void> {
  const note = window.page.locator('.notification-list-item', { hasText: text }).first();
  await until(`the note “${text}”`, async () => {
    // The list closes by itself when its last notification, such as the progress, disappears.
    await window.command('notifications.showList');
    return note.isVisible();
  });
}

function press(window: EditorWindow, text: string, at: number, hasEffect: () => Promise<boolean>): Promise<void> {
  const click = () => lens(window, text).nth(at).click({ timeout: 5000 });
  return repeatUntil(`“${text}” to be taken`, click, hasEffect, 'redrawn');
}

describe('An edited selection', () => {
  const scene = chapter(options);

  scene(
    'is streamed into a diff, where one change is kept and one undone, and is written as one undo step',
    [answers({ say: answer, hold: 'rest', chunk: 40 })],
    async ({ window, workspace, model, panel }) => {
      await edit(window, workspace, 'make it better');
      await lens(window, 'Cancel').waitFor();
      await waitForDiff(window, 'better four');
      assert.ok(!(await textOf(window, 'cairn-proposal')).includes('```'));
      assert.equal(await lens(window, 'Accept').count(), 0, 'nothing is accepted before its end');
      assert.equal(await workspace.read('notes.txt'), before);
      model.release('rest');
      await lens(window, 'Keep').nth(1).waitFor();
      await press(window, 'Keep', 0, () => lens(window, 'Kept').isVisible());
      await press(window, 'Undo', 1, async () => (await lens(window, 'Undo').count()) === 1);
      await press(window, 'Accept 1 change', 0, async () => (await lens(window, 'Accept').count()) === 0);
      const half = written({ 4: 'better four' });
      await until('the change to be on disk', async () => (await workspace.read('notes.txt')) === half);
      await waitForNoDiff(window);
      await until('the file to be shown', () =>
        window.ev(({ vscode }) => vscode.window.activeTextEditor?.document.uri.scheme === 'file'),
      );
      await textEditorFocused(window);
      await window.command('undo');
      await until('the text to be back', async () => (await textOf(window, 'file')) === before);
      const { text } = model.requests.at(-1)?.messages.at(-1) ?? { text: '' };
      assert.match(text, /notes\.txt \(plaintext\)[^]*line 2\n[^]*<part-1>\nline 3\n[^]*line 12\n<\/part-1>/);
      assert.match(text, /make it better$/);
      await panel.open();
      assert.equal((await panel.entries()).length, 0, 'the session has nothing of it');
      await window.command('cairn.showAuditLog');
      const audit = () => window.ev(({ vscode }) => vscode.window.activeTextEditor?.document.getText() ?? '');
      await until('who allowed it', async () =>
        /"what":"Edit notes\.txt",[^\n]*"by":"person","answer":"once"/.test(await audit()),
      );
    },
  );

  scene(
    'stays unchanged when the user presses Escape during streaming',
    [answers({ say: answer, hold: 'never', chunk: 40 })],
    async ({ window, workspace }) => {
      await edit(window, workspace, 'make it better');
      await waitForDiff(window, 'better four');
      await window.page.locator('.monaco-diff-editor .editor.modified .view-lines').first().click();
      await repeatUntil(
        'the edit to be cancelled',
        () => window.page.keyboard.press('Escape'),
        () => isDiffClosed(window),
        'redrawn',
      );
      assert.equal(await textOf(window, 'file'), before);
      assert.equal(await workspace.read('notes.txt'), before);
      const isDirty = await window.ev(({ vscode }) => vscode.workspace.textDocuments.some((one) => one.isDirty));
      assert.equal(isDirty, false);
    },
  );

  scene(
    'preserves what the user types elsewhere in the file in the meantime, saved or not',
    [answers({ say: answer, hold: 'rest', chunk: 40 })],
    async ({ window, workspace, model }) => {
      await edit(window, workspace, 'make it better');
      await waitForDiff(window, 'better four');
      await typeInFile(window, workspace, 25, 'mine');
      model.release('rest');
      await lens(window, 'Keep').nth(1).waitFor();
      await waitForDiff(window, 'mine');
      await press(window, 'Accept 2 changes', 0, async () => (await lens(window, 'Accept').count()) === 0);
      const all = written({ 4: 'better four', 11: 'better eleven', 25: 'mine' });
      await until('both to be in the file', async () => (await textOf(window, 'file')) === all);
      assert.equal(await workspace.read('notes.txt'), before, 'what was unsaved is not saved by it');
    },
  );

  scene(
    'is left alone when the user types in it in the meantime',
    [answers({ say: answer, hold: 'never', chunk: 40 })],
    async ({ window, workspace }) => {
      await edit(window, workspace, 'make it better');
      await waitForDiff(window, 'better four');
      await typeInFile(window, workspace, 5, 'mine');
      await waitForNoDiff(window);
      await waitForNote(window, 'were changed while they were being edited');
      assert.equal(await textOf(window, 'file'), written({ 5: 'mine' }));
    },
  );

  scene(
    'stays unchanged if the model fails midway, and an answer without changes is no proposal',
    [
      answers({ say: answer, chunk: 40, fail: 'cut-after' }, 'break off'),
      answers({ say: answer, chunk: 40, finish: 'length' }, 'too long'),
      answers({ say: lines.slice(2, 12).join('\n') }, 'leave it'),
    ],
    async ({ window, workspace }) => {
      await edit(window, workspace, 'break off');
      await waitForNote(window, 'was cut off');
      await waitForNoDiff(window);
      await window.command('notifications.clearAll');
      await edit(window, workspace, 'too long');
      await waitForNote(window, 'reached its output limit');
      await waitForNoDiff(window);
      await window.command('notifications.clearAll');
      await edit(window, workspace, 'leave it');
      await waitForNote(window, 'left the selection as it is');
      await waitForNoDiff(window);
      assert.equal(await textOf(window, 'file'), before);
    },
  );

  scene(
    'can be rejected by key, and the last request is offered again',
    [answers({ say: answer })],
    async ({ window, workspace }) => {
      await edit(window, workspace, 'make it better');
      await lens(window, 'Keep').nth(1).waitFor();
      await window.page.locator('.monaco-diff-editor .editor.modified .view-lines').first().click();
      await pressChord(window, ['Control+K', 'Control+Shift+Y'], () => isDiffClosed(window));
      assert.equal(await workspace.read('notes.txt'), before);
      await select(window, workspace, 3, 12);
      const list = new QuickList(window);
      await list.open('cairn.editSelection');
      await until('the last request', async () => (await list.input().inputValue()) === 'make it better');
      await list.dismiss();
    },
  );

  scene('must be in a writable file', [], async ({ window, workspace }) => {
    await window.ev(async ({ vscode }) => {
      const document = await vscode.workspace.openTextDocument({ content: 'never saved' });
      await vscode.window.showTextDocument(document);
      return null;
    });
    await window.startCommand('cairn.editSelection');
    await waitForNote(window, 'Save this document to a file first');
    await window.command('workbench.action.revertAndCloseActiveEditor');
    await window.command('notifications.clearAll');
    await writeFile(workspace.resolve('latin.txt'), LATIN);
    await select(window, workspace, 2, 2, 'latin.txt');
    await window.startCommand('cairn.editSelection');
    await waitForNote(window, 'latin.txt is open in the wrong encoding');
    await window.command('notifications.clearAll');
    await workspace.write('long.txt', '0123456789\n'.repeat(5000));
    await select(window, workspace, 1, 5000, 'long.txt');
    await window.startCommand('cairn.editSelection');
    await waitForNote(window, 'too long to be edited at once');
  });

  scene(
    'stays as it is, with its document, if the file is read-only in the editor',
    [
      answers({ say: answer }),
      { call: [{ name: 'fs_edit', arguments: { path: 'notes.txt', old_string: 'line 7\n', new_string: 'seven\n' } }] },
      { say: 'Read-only.' },
    ],
    async ({ window, workspace, panel }) => {
      await window.setSetting('files.readonlyInclude', { '**/notes.txt': true });
      await edit(window, workspace, 'make it better');
      await lens(window, 'Keep').nth(1).waitFor();
      await press(window, 'Accept 2 changes', 0, async () => (await lens(window, 'Accept').count()) === 0);
      await waitForNote(window, 'notes.txt is read-only in the editor, so nothing was written.');
      assert.equal(await textOf(window, 'file'), before);
      await window.command('notifications.clearAll');
      await panel.open();
      await panel.send('change it');
      await panel.approve();
      await panel.waitForText('is read-only in the editor', 'tool');
      await panel.waitForText('Read-only.', 'text');
      assert.equal(await textOf(window, 'file'), before);
      assert.equal(await workspace.read('notes.txt'), before);
    },
  );

  scene(
    'by an agent keeps the encoding of a file that the editor misread',
    [
      { call: [{ name: 'fs_edit', arguments: { path: 'latin.txt', old_string: 'two', new_string: 'zwei' } }] },
      { say: 'Done.' },
    ],
    async ({ window, workspace, panel }) => {
      await writeFile(workspace.resolve('latin.txt'), LATIN);
      await select(window, workspace, 2, 2, 'latin.txt');
      await panel.open();
      await panel.send('translate it');
      await panel.approve();
      await panel.waitForText('Done.', 'text');
      assert.deepEqual(await readFile(workspace.resolve('latin.txt')), Buffer.from('caf\u00e9\nzwei\n', 'latin1'));
    },
  );

  story(
    'must be in a trusted folder',
    { ...options, settings: { ...settings, 'security.workspace.trust.enabled': true }, model: [] },
    async ({ window, workspace }) => {
      await select(window, workspace, 3, 12);
      await window.activate();
      // Notifications of other extensions would hide the latest one.
      await window.command('notifications.clearAll');
      await window.startCommand('cairn.editSelection');
      await waitForNote(window, 'notes.txt cannot be edited');
    },
  );
});
