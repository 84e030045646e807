import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { until } from '../editor/until';

const GRAPH = `name: steps
start: plan
nodes:
  plan:
    type: llm
    description: "Makes a [plan](command:workbench.action.quit)"
    prompt: "Plan {{topic}}"
    output_schema:
      type: object
      properties:
        steps: { type: array }
    state_updates:
      steps: "{{output}}"
    next: work
  work:
    type: agent
    agent: explore
    prompt: "Do {{steps}}"
    fallback: plan
    next: finish
  finish:
    type: end
    output: "{{steps}}"
`;

describe('graph.yaml in the editor', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  let count = 0;
  before(async () => {
    await vscode.extensions.getExtension('cairn-agents.cairn')?.activate();
    // Help for names in graphs is loaded some time after startup.
    const [{ uri }, position] = await open(GRAPH.replace('next: work', 'next: wo|rk'));
    await until('the definition of a node', async () => (await definitions(uri, position)).length > 0);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(path.join(root, '.cairn'), { recursive: true, force: true });
  });

  /** Opens a new graph in whose text a bar marks the caret. */
  async function open(text: string): Promise<[vscode.TextDocument, vscode.Position]> {
    count += 1;
    const file = path.join(root, `.cairn/agents/steps-${count}/graph.yaml`);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text.replace('|', ''));
    const document = await vscode.workspace.openTextDocument(file);
    return [document, document.positionAt(text.indexOf('|'))];
  }

  async function offered(text: string): Promise<string[]> {
    const [{ uri }, position] = await open(text);
    const command = 'vscode.executeCompletionItemProvider';
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(command, uri, position);
    return list.items
      .filter(({ kind }) => kind === vscode.CompletionItemKind.Property || kind === vscode.CompletionItemKind.Value)
      .map(({ label }) => (typeof label === 'string' ? label : label.label));
  }

  const definitions = (uri: vscode.Uri, position: vscode.Position) =>
    vscode.commands.executeCommand<vscode.Location[]>('vscode.executeDefinitionProvider', uri, position);
  const lines = (ranges: readonly vscode.Range[]) =>
    ranges.map(({ start }) => start.line + 1).sort((one, other) => one - other);

  it('offers the keys of a node type, and the nodes where one is referenced', async () => {
    const keys = await offered(GRAPH.replace('    agent: explore\n', '    |\n'));
    assert.ok(keys.includes('agent') && keys.includes('timeout'), keys.join());
    assert.ok(!keys.includes('fallback') && !keys.includes('choices'), keys.join());
    // A node that is followed by itself would never end.
    assert.deepEqual((await offered(GRAPH.replace('next: work', 'next: |'))).sort(), ['finish', 'work']);
  });

  it('offers the existing agents, and the state keys in a template', async () => {
    assert.ok((await offered(GRAPH.replace('agent: explore', 'agent: |'))).includes('explore'));
    const references = await offered(GRAPH.replace('Do {{steps}}', 'Do {{|'));
    assert.ok(references.includes('steps'), references.join());
  });

  it('describes a node on hover in the text of its file, never as a link', async () => {
    const [{ uri }, position] = await open(GRAPH.replace('fallback: plan', 'fallback: pl|an'));
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, position);
    const said = hovers
      .flatMap(({ contents }) => contents)
      .map((one) => (one instanceof vscode.MarkdownString ? one.value : ''))
      .join('\n');
    assert.match(said, /Makes(?:&nbsp;| )a/);
    assert.doesNotMatch(said, /\[plan\]\(command/);
  });

  it('goes from a node name to its definition, and finds its references', async () => {
    const [{ uri }, position] = await open(GRAPH.replace('next: work', 'next: wo|rk'));
    assert.deepEqual(lines((await definitions(uri, position)).map(({ range }) => range)), [15]);
    const references = await vscode.commands.executeCommand<vscode.Location[]>(
      'vscode.executeReferenceProvider',
      uri,
      position,
    );
    assert.deepEqual(lines(references.map(({ range }) => range)), [14, 15]);
  });

  it('renames a node and all its references, and rejects a name in use', async () => {
    const [{ uri }, position] = await open(GRAPH.replace('  plan:\n', '  pl|an:\n'));
    const rename = (name: string) =>
      vscode.commands.executeCommand<vscode.WorkspaceEdit>('vscode.executeDocumentRenameProvider', uri, position, name);
    const edits = (await rename('outline')).get(uri);
    assert.deepEqual(lines(edits.map(({ range }) => range)), [2, 4, 19]);
    assert.ok(edits.every(({ newText }) => newText === 'outline'));
    await assert.rejects(async () => await rename('work'), /work/);
  });
});
