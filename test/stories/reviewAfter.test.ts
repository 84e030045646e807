import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { chapter } from '../editor/chapter';
import type { EditorWindow } from '../editor/editorWindow';
import { leftToReview, reviewRows } from '../editor/leftToReview';
import type { Panel } from '../editor/panel';
import { repeatUntil } from '../editor/repeatUntil';
import { story } from '../editor/story';
import { until } from '../editor/until';
import type { WorkspaceFolder } from '../editor/workspaceFolder';
import type { Tell } from '../editor/tellStory';
import type { Story as ModelStory } from '../support/modelServer/story';

const settings = { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'review-after' };
const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const before = `${lines.join('\n')}\n`;
const written = (changes: Readonly<Record<number, string>>) =>
  `${lines.map((line, index) => changes[index + 1] ?? line).join('\n')}\n`;
const contents = written({ 3: 'better three', 25: 'better twenty-five' });
const read = { name: 'fs_read', arguments: { path: 'notes.txt' } };
const write = { name: 'fs_write', arguments: { path: 'notes.txt', contents } };
const second = written({ 3: 'best three', 10: 'better ten', 25: 'better twenty-five' });
const again = { name: 'fs_write', arguments: { path: 'notes.txt', contents: second } };
const twoTurns = [{ call: [read] }, { call: [write] }, { say: 'Done.' }, { call: [again] }, { say: 'Done again.' }];
const SECOND_REVIEW = '.review-row >> nth=1';
const viewport = { width: 1900, height: 1000 };
const options = { settings, files: { 'notes.txt': before }, viewport };

async function openFile(window: EditorWindow, workspace: WorkspaceFolder, name: string): Promise<void> {
  await window.ev(async ({ vscode }, path) => {
    await vscode.window.showTextDocument(vscode.Uri.file(path), { preview: false });
    return null;
  }, workspace.resolve(name));
  // The editor's own commands, such as undo, apply to the focused editor.
  await window.page.locator('.editor-instance .monaco-editor.focused').first().waitFor();
}

function lens(window: EditorWindow, text: string): Locator {
  return window.page.locator('.editor-instance .codelens-decoration a', { hasText: text });
}

/** A file's text as the editor has it. */
function textOf(window: EditorWindow, workspace: WorkspaceFolder, name: string): Promise<string> {
  return window.ev(
    async ({ vscode }, path) => (await vscode.workspace.openTextDocument(path)).getText(),
    workspace.resolve(name),
  );
}

async function writeAndWait(panel: Panel): Promise<void> {
  await panel.open();
  await panel.send('make it better');
  await panel.waitForText('Done.', 'text');
}

/** Clicks a lens above the changes until this many changes are left. */
async function takeLens(window: EditorWindow, text: string, at: number, left: number): Promise<void> {
  const isDone = async () => (await lens(window, 'Keep').count()) === left;
  await repeatUntil(
    `${left} changes to be left`,
    () => lens(window, text).nth(at).click({ timeout: 5000 }),
    isDone,
    'redrawn',
  );
}

async function lensesAre(window: EditorWindow, count: number): Promise<void> {
  await until(`${count} changes to be left`, async () => (await lens(window, 'Keep').count()) === count);
}

describe('The review afterwards', () => {
  const withFiles = { ...options, files: { ...options.files, 'old.txt': 'old\n', 'other.txt': 'one\n' } };
  const scene = chapter(withFiles);
  // The editor does not always draw gutter marks in a file that was just closed and reopened.
  const alone = (title: string, model: ModelStory, tell: Tell) => story(title, { ...withFiles, model }, tell);

  scene(
    'shows a whole turn in one tab, and restores its marks after a reload even if the chat is hidden',
    [{ call: [read] }, { call: [write] }, { say: 'Done.' }],
    async ({ panel, window, workspace }) => {
      await writeAndWait(panel);
      await panel.press('Review', '.review-row');
      await window.page.locator('.multiDiffEntry', { hasText: 'notes.txt' }).first().waitFor();
      await window.command('workbench.action.closeAuxiliaryBar');
      await window.reload();
      await openFile(window, workspace, 'notes.txt');
      await lensesAre(window, 2);
      await panel.open();
      await leftToReview(panel, '1 file to review');
      await panel.press('Undo', '.review-row');
      await until('the file to be back', async () => (await workspace.read('notes.txt')) === before);
    },
  );

  scene(
    'undoes the second of two turns in one file after a reload, and leaves the first one to review',
    twoTurns,
    async ({ panel, window, workspace }) => {
      await writeTwice(panel);
      assert.equal(await workspace.read('notes.txt'), second);
      await window.reload();
      await panel.open();
      await until('both turns to be back', async () => (await reviewRows(panel)).length === 2);
      await panel.press('Undo', SECOND_REVIEW);
      await until('the file to be as after the first', async () => (await workspace.read('notes.txt')) === contents);
      await until('the first to be left', async () => (await reviewRows(panel)).length === 1);
      await openFile(window, workspace, 'notes.txt');
      await lensesAre(window, 2);
      await panel.press('Undo', '.review-row');
      await until('the file to be back', async () => (await workspace.read('notes.txt')) === before);
    },
  );

  scene(
    'keeps one change and undoes the other in the written file, which Ctrl+Z restores',
    [{ call: [read] }, { call: [write] }, { say: 'Done.' }],
    async ({ panel, window, workspace }) => {
      await openFile(window, workspace, 'notes.txt');
      await writeAndWait(panel);
      assert.equal(await workspace.read('notes.txt'), contents);
      await leftToReview(panel, '1 file to review');
      await lensesAre(window, 2);
      await takeLens(window, 'Keep', 0, 1);
      await takeLens(window, 'Undo', 0, 0);
      const half = written({ 3: 'better three' });
      await until('the change to be undone on disk', async () => (await workspace.read('notes.txt')) === half);
      await until('the panel to have nothing to review', async () => (await reviewRows(panel)).length === 0);
      await openFile(window, workspace, 'notes.txt');
      await window.command('undo');
      await until('the text to be back', async () => (await textOf(window, workspace, 'notes.txt')) === contents);
      await lensesAre(window, 2 - 1);
    },
  );

  scene(
    'tolerates an undo of the agent’s edit with Ctrl+Z',
    [{ call: [read] }, { call: [write] }, { say: 'Done.' }],
    async ({ panel, window, workspace }) => {
      await openFile(window, workspace, 'notes.txt');
      await writeAndWait(panel);
      await lensesAre(window, 2);
      await openFile(window, workspace, 'notes.txt');
      await window.command('undo');
      await lensesAre(window, 0);
      assert.equal(await textOf(window, workspace, 'notes.txt'), before);
      await window.command('redo');
      await lensesAre(window, 2);
    },
  );

  scene(
    'reviews the first file while the agent works on the second, and keeps what the user types',
    [
      { call: [read] },
      { call: [write] },
      { call: [{ name: 'execute_command', arguments: { command: 'echo waited' } }] },
      { call: [{ name: 'fs_write', arguments: { path: 'new.txt', contents: 'new\n' } }] },
      { say: 'Done.' },
    ],
    async ({ panel, window, workspace }) => {
      await openFile(window, workspace, 'notes.txt');
      await panel.open();
      await panel.send('make it better');
      // The run is paused, because a command asks for approval.
      await panel.waitForApproval();
      await lensesAre(window, 2);
      await typeAtLine(window, workspace, 10, 'mine');
      await lensesAre(window, 2);
      await takeLens(window, 'Undo', 1, 1);
      await panel.approve();
      await panel.waitForText('Done.', 'text');
      await leftToReview(panel, '2 files to review');
      await panel.press('Undo', '.review-row');
      const mine = written({ 10: 'mine' });
      await until('the file to be back', async () => (await textOf(window, workspace, 'notes.txt')) === mine);
      await until('the new file to be gone', async () =>
        workspace.read('new.txt').then(
          () => false,
          () => true,
        ),
      );
    },
  );

  alone(
    'keeps a file by the button of its title and a turn by the source control view',
    [
      { call: [read, { name: 'fs_read', arguments: { path: 'other.txt' } }] },
      {
        call: [
          write,
          { name: 'fs_write', arguments: { path: 'other.txt', contents: 'two\n' } },
          { name: 'fs_write', arguments: { path: 'new.txt', contents: 'new\n' } },
        ],
      },
      { say: 'Done.' },
    ],
    async ({ panel, window, workspace }) => {
      await openFile(window, workspace, 'notes.txt');
      await writeAndWait(panel);
      await leftToReview(panel, '3 files to review');
      await window.page.locator('.margin-view-overlays .dirty-diff-glyph').first().waitFor();
      const left = async (text: string) => (await reviewRows(panel)).some((row) => row.includes(text));
      const keepFile = window.page.locator('.editor-actions a[aria-label^="Keep All Changes in This File"]');
      await repeatUntil(
        'the file to be kept',
        () => keepFile.click({ timeout: 5000 }),
        () => left('2 files to review'),
        'redrawn',
      );
      await window.command('workbench.view.scm');
      const rows = window.page.locator('.scm-view .monaco-list-row');
      const row = rows.filter({ hasText: 'other.txt' });
      const press = async (of: Locator, label: string) => {
        await of.hover({ timeout: 5000 });
        await of.locator(`a[aria-label^="${label}"]`).click({ timeout: 5000 });
      };
      await repeatUntil(
        'the file to be back',
        () => press(row, 'Undo All Changes in This File'),
        async () => (await workspace.read('other.txt')) === 'one\n',
        'redrawn',
      );
      await leftToReview(panel, '1 file to review');
      const turn = rows.filter({ hasText: 'make it better' });
      await repeatUntil(
        'nothing to be left',
        () => press(turn, 'Keep All Changes'),
        async () => (await turn.count()) === 0,
        'redrawn',
      );
      assert.equal(await workspace.read('notes.txt'), contents);
      assert.equal(await workspace.read('new.txt'), 'new\n');
    },
  );

  alone(
    'undoes a change from the peek of its mark, and brings a removed file back',
    [{ call: [read] }, { call: [write, { name: 'fs_rm', arguments: { path: 'old.txt' } }] }, { say: 'Done.' }],
    async ({ panel, window, workspace }) => {
      await openFile(window, workspace, 'notes.txt');
      await writeAndWait(panel);
      await leftToReview(panel, '2 files to review');
      await window.page.locator('.margin-view-overlays .dirty-diff-glyph').first().waitFor();
      await openFile(window, workspace, 'notes.txt');
      const undo = window.page.locator('.peekview-actions a[aria-label^="Undo This Change"]');
      await repeatUntil(
        'the change to be undone',
        async () => {
          if (!(await undo.isVisible())) await window.command('editor.action.dirtydiff.next');
          await undo.click({ timeout: 5000 });
        },
        async () => (await workspace.read('notes.txt')) === written({ 25: 'better twenty-five' }),
        'redrawn',
      );
      await panel.press('Undo', '.review-row');
      await until('the file to be back', async () => (await workspace.read('notes.txt')) === before);
      await until('the removed file to be back', async () => (await workspace.read('old.txt')) === 'old\n');
    },
  );

  scene(
    'undoes the first of two turns in one file except for what the second changed again, and says so',
    twoTurns,
    async ({ panel, window, workspace }) => {
      await writeTwice(panel);
      await panel.press('Undo', '.review-row');
      const rest = written({ 3: 'best three', 10: 'better ten' });
      await until('the rest of the first to be gone', async () => (await workspace.read('notes.txt')) === rest);
      await window.command('notifications.showList');
      const note = window.page.locator('.notification-list-item', { hasText: 'changed again later' });
      await note.filter({ hasText: 'notes.txt' }).first().waitFor();
      // The list covers the changes to review.
      await window.command('notifications.hideList');
      await until('both turns to be left', async () => (await reviewRows(panel)).length === 2);
      await panel.press('Keep', SECOND_REVIEW);
      await until('the first to be left', async () => (await reviewRows(panel)).length === 1);
      assert.equal(await workspace.read('notes.txt'), rest);
      await openFile(window, workspace, 'notes.txt');
      await lensesAre(window, 1);
      await window.command('undo');
      await until('the text to be back', async () => (await textOf(window, workspace, 'notes.txt')) === second);
    },
  );
});

async function writeTwice(panel: Panel): Promise<void> {
  await writeAndWait(panel);
  await panel.send('still better');
  await panel.waitForText('Done again.', 'text');
  await until('both turns to be left', async () => (await reviewRows(panel)).length === 2);
}

/** Changes the document in the editor, like a user typing. */
function typeAtLine(window: EditorWindow, workspace: WorkspaceFolder, line: number, text: string): Promise<null> {
  return window.ev(
    async ({ vscode }, typed) => {
      const document = await vscode.workspace.openTextDocument(typed.path);
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, document.lineAt(typed.line - 1).range, typed.text);
      await vscode.workspace.applyEdit(edit);
      return null;
    },
    { path: workspace.resolve('notes.txt'), line, text },
  );
}
