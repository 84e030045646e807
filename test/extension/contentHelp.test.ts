import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../editor/until';

describe('Agent, skill and role files', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const at = (file: string) => path.join(root, file);
  before(() => vscode.extensions.getExtension('cairn-agents.cairn')?.activate());
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(at('.cairn'), { recursive: true, force: true });
    await rm(at('.claude'), { recursive: true, force: true });
  });

  /** Writes a file in whose text a bar marks the caret, and opens it. */
  async function open(file: string, text: string): Promise<[vscode.TextDocument, vscode.Position]> {
    await mkdir(path.dirname(at(file)), { recursive: true });
    await writeFile(at(file), text.replace('|', ''));
    const document = await vscode.workspace.openTextDocument(at(file));
    return [document, document.positionAt(text.indexOf('|'))];
  }

  async function offered(file: string, text: string): Promise<string[]> {
    const [{ uri }, position] = await open(file, text);
    const command = 'vscode.executeCompletionItemProvider';
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(command, uri, position);
    return list.items
      .filter(({ kind }) => kind === vscode.CompletionItemKind.Property || kind === vscode.CompletionItemKind.Value)
      .map(({ label }) => (typeof label === 'string' ? label : label.label));
  }

  const problems = (file: string) =>
    vscode.languages.getDiagnostics(vscode.Uri.file(at(file))).map(({ message, source }) => `${source}: ${message}`);

  it('offer completions for their format: missing keys, and values', async () => {
    const config = await offered('.cairn/agents/team/config.yaml', 'auto_continue: true\n|\n');
    assert.ok(config.includes('instructions') && !config.includes('auto_continue'));
    assert.deepEqual(await offered('.cairn/agents/on/config.yaml', 'auto_continue: |\n'), ['true', 'false']);
    const spawnable = await offered('.cairn/agents/two/config.yaml', 'spawnable_agents:\n  - |\n');
    assert.ok(spawnable.includes('explore'));
    const claude = await offered('.claude/agents/tester.md', '---\ntools: Read, |\n---\nTest.\n');
    assert.ok(claude.includes('Grep') && !claude.includes('fs_grep'));
    assert.ok((await offered('.cairn/skills/api/SKILL.md', '---\n|\n---\n')).includes('auto_unload'));
    assert.deepEqual(await offered('.cairn/roles/short.md', '---\nanswer: |\n---\n'), ['text', 'code']);
  });

  it('get no completions below their front matter, nor do other files', async () => {
    assert.deepEqual(await offered('.cairn/agents/a.md', '---\nmode: all\n---\nde|\n'), []);
    assert.deepEqual(await offered('.cairn/skills/api/notes.md', '---\n|\n---\n'), []);
  });

  it('explain a key on hover', async () => {
    const [{ uri }, position] = await open('.cairn/roles/short.md', '---\nans|wer: code\n---\n');
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, position);
    const said = hovers
      .flatMap(({ contents }) => contents)
      .map((one) => (one instanceof vscode.MarkdownString ? one.value : ''));
    assert.match(said.join('\n'), /only its first block of code counts/);
  });

  it('show their problems even when not open, until they are fixed', async () => {
    // The editor still has the documents of earlier tests, in their old state.
    const file = '.cairn/roles/brief.md';
    await mkdir(path.dirname(at(file)), { recursive: true });
    await writeFile(at(file), '---\nanswr: code\n---\nBe short.\n');
    await until('the problem', () => problems(file).join() === 'Cairn: Unknown key “answr”. Did you mean “answer”?');
    await writeFile(at(file), '---\nanswer: code\n---\nBe short.\n');
    await until('no problem', () => problems(file).length === 0);
  });

  it('lose the problem of a discarded edit', async () => {
    const file = '.cairn/agents/helper.md';
    const [document] = await open(file, '---\nmode: all\n---\nHelp.\n');
    await vscode.window.showTextDocument(document);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(1, 6, 1, 9), 'al');
    await vscode.workspace.applyEdit(edit);
    await until('the problem', () => problems(file).length === 1);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until('no problem', () => problems(file).length === 0);
  });
});
