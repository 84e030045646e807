import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { workspaceFiles } from '../../src/host/editor/workspaceFiles';
import { nodeFileSystem } from '../../src/node/nodeFileSystem';

describe('files as the person sees them', () => {
  const files = workspaceFiles(nodeFileSystem());
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

  it('are read from the disk when no editor has them open', async () => {
    assert.equal(await read(), 'on disk\n');
  });

  it('are read with what is not saved yet', async () => {
    await openWithUnsaved('unsaved ');
    assert.equal(await read(), 'unsaved on disk\n');
    assert.equal(await readFile(path, 'utf8'), 'on disk\n');
  });

  it('are changed through the open editor in one step that undo takes back, and saved', async () => {
    const document = await openWithUnsaved('unsaved ');
    await write('changed by an agent\n');
    assert.equal(document.getText(), 'changed by an agent\n');
    assert.equal(document.isDirty, false);
    assert.equal(await readFile(path, 'utf8'), 'changed by an agent\n');
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), 'unsaved on disk\n');
  });

  it('are written to the disk when no editor has them open', async () => {
    await write('new\n');
    assert.equal(await readFile(path, 'utf8'), 'new\n');
  });
});
