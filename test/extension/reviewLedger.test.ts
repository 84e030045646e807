import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Deferred } from '../../src/base/async';
import { EngineError } from '../../src/engine';
import { workspaceFiles } from '../../src/host/editor/workspace';
import { ReviewLedger, type ReviewLedgerParts } from '../../src/host/review/reviewLedger';
import { ReviewStore } from '../../src/host/review/reviewStore';
import { nodeFileSystem } from '../../src/node/nodeFileSystem';
import { until } from '../editor/until';

const { signal } = new AbortController();
const numbers = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];
const text = (changes: Readonly<Record<number, string>> = {}, ending = '\n') =>
  numbers.map((line, index) => `${changes[index + 1] ?? line}${ending}`).join('');

describe('The review ledger', () => {
  const files = workspaceFiles(nodeFileSystem(), false);
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const ledgerWith = (parts: Partial<ReviewLedgerParts>) =>
    new ReviewLedger({ files, store: undefined, titleOf: async () => 'make it better', log, ...parts });
  let ledger: ReviewLedger;
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'cairn-review-')));
    path = join(folder, 'a.txt');
    await writeFile(path, text());
    ledger = ledgerWith({});
  });
  afterEach(async () => {
    ledger.dispose();
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  const read = (name = path) => readFile(name, 'utf8');
  const turnsOf = (name = path) => ledger.get(name)?.parts.map(({ turn }) => turn.runId) ?? [];
  const around = (runId: string, change: () => Promise<void>, paths = [path]) =>
    ledger.around({ sessionId: 's', runId, paths, reviewAfter: true, signal }, change);
  const write = (runId: string, contents: string | Uint8Array, name = path) =>
    around(runId, () => files.writeFile(name, Buffer.from(contents)), [name]);
  const remove = (runId: string, name = path) => around(runId, () => files.remove(name), [name]);
  const isGone = () =>
    read().then(
      () => false,
      () => true,
    );

  const openText = () => vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === path)?.getText();

  async function open(name = path): Promise<vscode.TextDocument> {
    const document = await vscode.workspace.openTextDocument(name);
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  }

  /** Types as the user would: in the editor, without saving. */
  async function type(document: vscode.TextDocument, line: number, words: string): Promise<void> {
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, document.lineAt(line - 1).range, words);
    assert.ok(await vscode.workspace.applyEdit(edit));
  }

  for (const isOpen of [false, true]) {
    const where = isOpen ? 'in an open editor' : 'on the disk';

    it(`distinguishes what two agents write ${where} at the same time`, async () => {
      if (isOpen) await open();
      const edit = (runId: string, line: number) =>
        around(runId, async () => {
          const before = new TextDecoder().decode(await files.readFile(path));
          await new Promise(setImmediate);
          await files.writeFile(path, Buffer.from(before.replace(`${line}\n`, `${runId}\n`)));
        });
      await Promise.all([edit('first', 2), edit('second', 5), edit('third', 8)]);
      assert.equal(await read(), text({ 2: 'first', 5: 'second', 8: 'third' }));
      assert.deepEqual(turnsOf(), ['first', 'second', 'third']);
      assert.equal(await ledger.undoTurn(path, 'second'), false);
      assert.equal(await read(), text({ 2: 'first', 8: 'third' }));
    });

    it(`keeps Windows line endings, the byte order mark and a missing final line ending ${where}`, async () => {
      const before = `\uFEFF${text({}, '\r\n')}end`;
      const after = `\uFEFF${text({ 2: 'two' }, '\r\n')}the end\r\nand more`;
      await writeFile(path, before);
      if (isOpen) await open();
      await write('first', after);
      assert.equal(await read(), after);
      assert.equal(ledger.get(path)?.hunks.length, 2);
      await ledger.undo(
        path,
        ledger
          .get(path)
          ?.hunks.slice(1)
          .map(({ key }) => key),
      );
      assert.equal(await read(), `\uFEFF${text({ 2: 'two' }, '\r\n')}end`);
      await ledger.undoTurn(path, 'first');
      assert.equal(await read(), before);
      await until('nothing to be left', async () => ledger.files.length === 0);
    });

    it(`has nothing left after a file is created, changed and removed ${where} within one turn`, async () => {
      const name = join(folder, 'new.txt');
      await write('first', 'a\n', name);
      if (isOpen) await open(name);
      await write('first', 'b\n', name);
      assert.deepEqual(
        ledger.get(name)?.parts.map(({ kind }) => kind),
        ['created'],
      );
      await remove('first', name);
      assert.deepEqual(ledger.files, []);
    });

    it(`restores what a turn removed ${where} and wrote again`, async () => {
      if (isOpen) await open();
      await write('first', text({ 2: 'two' }));
      await remove('first');
      await write('first', 'quite another\n');
      await ledger.undoTurn(path, 'first');
      assert.equal(await read(), text());
    });

    it(`settles a file ${where} that git reverted, and one that was removed`, async () => {
      if (isOpen) await open();
      await write('first', text({ 2: 'two' }));
      // Replaced atomically, as git does: otherwise the editor may see a half-written file.
      await writeFile(`${path}.new`, text());
      await rename(`${path}.new`, path);
      await until('nothing to be left', async () => ledger.files.length === 0);
      // The editor picks up the file on disk a little later.
      await until('the editor to follow', async () => openText() === text() || !isOpen);
      await write('second', text({ 3: 'three' }));
      await rm(path);
      await until('nothing to be left', async () => ledger.files.length === 0);
      await ledger.undoTurn(path, 'second');
      assert.ok(await isGone());
    });
  }

  it('undoes in an open file with unsaved changes, and leaves it unsaved', async () => {
    const document = await open();
    await write('first', text({ 2: 'two' }));
    await type(document, 7, 'mine');
    await ledger.undoTurn(path, 'first');
    assert.equal(document.getText(), text({ 7: 'mine' }));
    assert.ok(document.isDirty);
    assert.equal(await read(), text({ 2: 'two' }));
  });

  it('undoes a turn whose lines the user changed, and the editor’s undo restores what the user typed', async () => {
    const document = await open();
    await write('first', text({ 2: 'two', 5: 'five' }));
    await type(document, 2, 'two and mine');
    await ledger.undoTurn(path, 'first');
    assert.equal(document.getText(), text());
    await open();
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), text({ 2: 'two and mine', 5: 'five' }));
    assert.deepEqual(turnsOf(), ['first']);
  });

  it('follows a renamed file and a renamed folder', async () => {
    const [inside, moved] = [join(folder, 'in', 'b.txt'), join(folder, 'out', 'b.txt')];
    await mkdir(join(folder, 'in'));
    await writeFile(inside, text());
    await write('first', text({ 2: 'two' }));
    await write('first', text({ 5: 'five' }), inside);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(vscode.Uri.file(path), vscode.Uri.file(join(folder, 'c.txt')));
    edit.renameFile(vscode.Uri.file(join(folder, 'in')), vscode.Uri.file(join(folder, 'out')));
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until('both to be followed', async () => turnsOf(join(folder, 'c.txt')).length + turnsOf(moved).length === 2);
    assert.deepEqual(ledger.files.map((file) => file.path).sort(), [join(folder, 'c.txt'), moved].sort());
    await ledger.undoTurn(moved, 'first');
    assert.equal(await read(moved), text());
  });

  it('follows a file that is found missing before the editor reports its new name', async () => {
    const moved = join(folder, 'c.txt');
    await write('first', text({ 2: 'two' }));
    const renaming = vscode.workspace.onWillRenameFiles((event) => {
      const away = async () => {
        await rename(path, moved);
        await ledger.sync(path);
        await rename(moved, path);
      };
      event.waitUntil(away());
    });
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(vscode.Uri.file(path), vscode.Uri.file(moved));
    assert.ok(await vscode.workspace.applyEdit(edit));
    renaming.dispose();
    await until('the file to be followed', async () => turnsOf(moved).length === 1);
    await ledger.undoTurn(moved, 'first');
    assert.equal(await read(moved), text());
  });

  it('settles a file that is moved outside the editor', async () => {
    await write('first', text({ 2: 'two' }));
    await rename(path, join(folder, 'c.txt'));
    await until('nothing to be left', async () => ledger.files.length === 0);
    assert.equal(await read(join(folder, 'c.txt')), text({ 2: 'two' }));
  });

  it('reviews and undoes changes of a file of five megabytes', async () => {
    const all = Array.from({ length: 50_000 }, (_, index) => `${index} ${'is a line of many words '.repeat(4)}`);
    const written = all.map((line, index) => (index % 10_000 === 7 ? 'changed' : line)).join('\n');
    await writeFile(path, all.join('\n'));
    await write('first', written);
    assert.equal(ledger.get(path)?.hunks.length, 5);
    await write('second', 'short\n');
    await ledger.undoTurn(path, 'second');
    assert.equal(await read(), written);
    assert.equal(ledger.get(path)?.hunks.length, 5);
  }).timeout(120_000);

  it('undoes what a turn wrote to an open notebook', async () => {
    const name = join(folder, 'a.ipynb');
    const notebook = (source: string) =>
      JSON.stringify({
        ...{ nbformat: 4, nbformat_minor: 5, metadata: {} },
        cells: [{ cell_type: 'markdown', id: 'a', metadata: {}, source: [source] }],
      });
    await writeFile(name, notebook('before'));
    await vscode.window.showNotebookDocument(await vscode.workspace.openNotebookDocument(vscode.Uri.file(name)));
    await write('first', notebook('after'), name);
    assert.equal(await read(name), notebook('after'));
    assert.deepEqual(turnsOf(name), ['first']);
    await ledger.undoTurn(name, 'first');
    assert.equal(await read(name), notebook('before'));
  });

  it('follows every file of a turn, and one that is temporarily unreadable from then on', async () => {
    let unreadable = '';
    const readFile = async (name: string) => {
      if (name !== unreadable) return files.readFile(name);
      unreadable = '';
      throw new EngineError('io', 'The disk is away.');
    };
    ledger.dispose();
    ledger = ledgerWith({ files: { ...files, readFile } });
    const other = join(folder, 'b.txt');
    await writeFile(other, text());
    const [document, beside] = [await open(), await open(other)];
    await write('first', text({ 2: 'two' }));
    const change = async () => {
      await files.writeFile(other, Buffer.from(text({ 5: 'five' })));
      unreadable = path;
    };
    await around('second', change, [path, other]);
    assert.equal(unreadable, '');
    assert.deepEqual([turnsOf(), turnsOf(other)], [['first'], ['second']]);
    await type(beside, 5, '5');
    await type(document, 2, '2');
    await until('what was typed to count', async () => ledger.files.length === 0);
  });

  it('is on disk after a flush, even during a save', async () => {
    const [saving, disk] = [new Deferred<void>(), new Deferred<void>()];
    let saved = '';
    const slowWrite = async (name: string, bytes: Uint8Array) => {
      saving.resolve();
      await disk.promise;
      await files.writeFile(name, bytes);
      saved = await read(name);
    };
    ledger.dispose();
    const store = new ReviewStore(join(folder, 'review.json'), { ...files, writeFile: slowWrite }, log);
    ledger = ledgerWith({ store });
    await write('first', text({ 2: 'two' }));
    await saving.promise;
    const atEnd = ledger.flush().then(() => saved);
    disk.resolve();
    assert.match(await atEnd, /two/);
  });

  it('ignores a text that is not yet a file', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'mine' });
    await vscode.window.showTextDocument(document);
    await write('first', text({ 2: 'two' }), join(folder, document.uri.path));
    await type(document, 1, 'still mine');
    assert.deepEqual(
      ledger.files.map((file) => file.text),
      [text({ 2: 'two' })],
    );
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});

function ignore(): void {
  // Log output is irrelevant here.
}
