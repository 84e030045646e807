import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { workspaceFiles } from '../../src/host/editor/workspace';
import { nodeFileSystem } from '../../src/node/nodeFileSystem';
import { until } from '../editor/until';

describe('Files as shown in the editor', () => {
  const files = workspaceFiles(nodeFileSystem(), false);
  const onWindows = workspaceFiles(nodeFileSystem(), false, 'win32');
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cairn-files-'));
    path = join(folder, 'a.txt');
    await writeFile(path, 'on disk\n');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await rm(folder, { recursive: true, force: true });
  });
  const read = async () => new TextDecoder().decode(await files.readFile(path));
  const write = (text: string) => files.writeFile(path, new TextEncoder().encode(text));

  async function openWithUnsaved(text: string): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
    return document;
  }

  it('are read from disk when they are not open', async () => {
    assert.equal(await read(), 'on disk\n');
  });

  it('are read with unsaved changes', async () => {
    await openWithUnsaved('unsaved ');
    assert.equal(await read(), 'unsaved on disk\n');
    assert.equal(await readFile(path, 'utf8'), 'on disk\n');
  });

  it('are neither read nor written while open as a notebook with unsaved cells', async () => {
    path = join(folder, 'a.ipynb');
    const cells = [{ cell_type: 'markdown', id: 'a', metadata: {}, source: ['on disk'] }];
    const onDisk = JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells });
    await writeFile(path, onDisk);
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
    await vscode.window.showNotebookDocument(notebook);
    assert.equal(await read(), onDisk);
    const edit = new vscode.WorkspaceEdit();
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, 'unsaved', 'markdown');
    edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(1, [cell])]);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until('the notebook to be unsaved', () => notebook.isDirty);
    await assert.rejects(read(), /open as a notebook with changes that are not saved\. Ask the user to save it/);
    await assert.rejects(write('{}'), /open as a notebook/);
    const inOtherCase = join(folder, 'A.ipynb');
    await assert.rejects(onWindows.readFile(inOtherCase), /open as a notebook/);
    await assert.rejects(onWindows.writeFile(inOtherCase, Buffer.from('{}')), /open as a notebook/);
    assert.equal(await readFile(path, 'utf8'), onDisk);
  });

  it('are matched to open editors on Windows whatever the case', async () => {
    const document = await openWithUnsaved('unsaved ');
    const inOtherCase = join(folder, 'A.TXT');
    const bytes = await onWindows.readFile(inOtherCase);
    assert.equal(new TextDecoder().decode(bytes), 'unsaved on disk\n');
    await onWindows.writeFile(inOtherCase, Buffer.from('changed by an agent\n'));
    assert.equal(document.getText(), 'changed by an agent\n');
    assert.equal(document.isDirty, false);
    assert.deepEqual(await readdir(folder), ['a.txt']);
    assert.equal(await readFile(path, 'utf8'), 'changed by an agent\n');
  });

  it('are changed through the open editor in one undoable step, and saved', async () => {
    const document = await openWithUnsaved('unsaved ');
    await write('changed by an agent\n');
    assert.equal(document.getText(), 'changed by an agent\n');
    assert.equal(document.isDirty, false);
    assert.equal(await readFile(path, 'utf8'), 'changed by an agent\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'unsaved on disk\n');
  });

  it('are written if the disk differs or the file is missing, even if the editor already has that text', async () => {
    await vscode.workspace.openTextDocument(path);
    await rm(path);
    await write('on disk\n');
    assert.equal(await readFile(path, 'utf8'), 'on disk\n');
    // A command may change the file, which the editor notices only later.
    await writeFile(path, 'put back\n');
    await write('on disk\n');
    assert.equal(await readFile(path, 'utf8'), 'on disk\n');
  });

  it('are changed only where they differ, so that cursor and line endings are preserved', async () => {
    await writeFile(path, 'one\r\ntwo\r\nthree\r\nfour');
    const document = await vscode.workspace.openTextDocument(path);
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(2, 3, 2, 3);
    await write('zero\r\none\r\ntwo\r\nthree\r\n4\r\n5');
    assert.equal(await readFile(path, 'utf8'), 'zero\r\none\r\ntwo\r\nthree\r\n4\r\n5');
    assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [3, 3]);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'one\r\ntwo\r\nthree\r\nfour');
  });

  it('are changed at the end, with and without a final line ending, and emptied', async () => {
    const document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document);
    for (const text of ['on disk', 'on disk\nmore', 'more\n', '', 'a\nb\nc\n', 'a\nb']) {
      await write(text);
      assert.equal(await readFile(path, 'utf8'), text);
    }
  });

  it('are written to disk when they are not open', async () => {
    await write('new\n');
    assert.equal(await readFile(path, 'utf8'), 'new\n');
  });

  it('go to the trash where there is one, and are never removed permanently instead', async () => {
    assert.equal('trash' in files, false);
    const withTrash = workspaceFiles(nodeFileSystem(), true);
    try {
      await withTrash.trash?.(path);
      await assert.rejects(readFile(path));
    } catch (error) {
      // This editor has no trash.
      assert.match(String(error), /a\.txt could not be moved to the trash, so it is left where it is: .*explorer\./);
      assert.equal(await readFile(path, 'utf8'), 'on disk\n');
    }
  });
});
