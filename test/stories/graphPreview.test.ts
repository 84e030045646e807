import assert from 'node:assert/strict';
import { pageFrame } from '../editor/pageFrame';
import type { EditorWindow } from '../editor/editorWindow';
import { chapter } from '../editor/chapter';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';

const FILE = '.cairn/agents/landmark/graph.yaml';
const GRAPH = `name: landmark
version: "1.1"
start: plan
nodes:
  plan:
    type: llm
    description: Says what to build
    max_visits: 3
    prompt: "Plan {{initial_prompt}}"
    state_updates: { plan: "{{output}}" }
    next: gate
  gate:
    type: approval
    question: "Do this? {{plan}}"
    options: [Do it, "Again <b>"]
    routes: { Do it: done, "Again <b>": plan }
    on_other: left
  done: { type: end, output: "{{plan}}" }
  left: { type: end, output: "Nothing was done." }
`;

const scene = chapter({ settings: { 'cairn.model': 'openai:test-model' } });

/** Opens the file with the caret at the start of a line, 1-based. */
function open(window: EditorWindow, path: string, line: number): Promise<null> {
  return window.ev(
    async ({ vscode }, at) => {
      const place = new vscode.Position(at.line - 1, 0);
      const document = await vscode.workspace.openTextDocument(at.path);
      const column = vscode.ViewColumn.One;
      await vscode.window.showTextDocument(document, column);
      const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
      if (editor) editor.selection = new vscode.Selection(place, place);
      return null;
    },
    { path, line },
  );
}

/** Replaces a line of the editor, 1-based, as if typed. */
function retype(window: EditorWindow, line: number, text: string): Promise<boolean> {
  return window.ev(
    async ({ vscode }, at) => {
      const editor = vscode.window.visibleTextEditors.find(({ document }) => document.fileName.endsWith('graph.yaml'));
      if (!editor) return false;
      return editor.edit((edit) => edit.replace(editor.document.lineAt(at.line - 1).range, at.text));
    },
    { line, text },
  );
}

const caretLine = (window: EditorWindow) =>
  window.ev(({ vscode }) => (vscode.window.activeTextEditor?.selection.active.line ?? -1) + 1);

describe('The graph preview', () => {
  scene(
    'follows edits, marks errors, and links to their line and back',
    { model: [], files: { [FILE]: GRAPH } },
    async ({ window, workspace }) => {
      const path = workspace.resolve(FILE);
      await open(window, path, 1);
      const lens = window.page.locator('.codelens-decoration').getByText('Preview graph');
      await lens.click();
      const frame = await pageFrame(window, 'Graph: landmark');
      const box = (name: RegExp) => frame.getByRole('button', { name });
      await box(/^plan\. llm · Says what to build\. Goes to gate$/).waitFor();
      await box(/^gate\. approval\. Goes to done \(Do it\), plan \(Again <b>\), left \(any other answer\)$/).waitFor();
      assert.equal(await frame.getByRole('region', { name: 'Problems' }).count(), 0);

      await retype(window, 11, '    next: gat');
      const wrong = box(/^plan\. .*1 problem: .*Did you mean “gate”\?/);
      await wrong.waitFor();
      await box(/^gat, not in the file$/).waitFor();
      // While it is not valid YAML, the drawing stays and says so.
      await retype(window, 11, '    next: [gate');
      await frame.getByText('This is the last version that could be read.').waitFor();
      assert.equal(await box(/^gat, not in the file$/).count(), 1);
      await retype(window, 11, '    next: gate');
      await until(
        'the problem to be gone',
        async () => (await frame.getByRole('region', { name: 'Problems' }).count()) === 0,
      );
      await until('the node that there is not to be gone', async () => (await box(/^gat, /).count()) === 0);

      await box(/^done\. /).click();
      await until('its line', async () => (await caretLine(window)) === 18);
      await until(
        'its node to be marked',
        async () => (await box(/^done\. /).getAttribute('aria-current')) === 'location',
      );
      await open(window, path, 13);
      await until(
        'the other to be marked',
        async () => (await box(/^gate\. /).getAttribute('aria-current')) === 'location',
      );
      await box(/^plan\. /).focus();
      await frame.page().keyboard.press('ArrowDown');
      assert.equal(await box(/^gate\. /).evaluate('document.activeElement?.dataset.box'), 'gate');
      await frame.page().keyboard.press('ArrowDown');
      await frame.page().keyboard.press('ArrowRight');
      await frame.page().keyboard.press('Enter');
      await until('the line of the last', async () => (await caretLine(window)) === 19);
    },
  );

  scene(
    'offers a list for the keyboard, and is exported as an image and as text',
    { model: [], files: { [FILE]: GRAPH } },
    async ({ window, workspace }) => {
      await open(window, workspace.resolve(FILE), 1);
      await window.startCommand('cairn.previewGraph');
      const frame = await pageFrame(window, 'Graph: landmark');
      const toggle = frame.getByRole('button', { name: 'Show as list' });
      await frame.getByRole('button', { name: /^plan\. / }).waitFor();
      await toggle.press('Enter');
      const rows = frame.getByRole('list', { name: 'Nodes of landmark' }).getByRole('button');
      assert.deepEqual(
        (await rows.allInnerTexts()).map((row) => /^\w+/.exec(row)?.[0]),
        ['plan', 'gate', 'done', 'left'],
      );
      await rows.first().focus();
      for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'End', 'Enter']) await frame.page().keyboard.press(key);
      await until('the line of the last', async () => (await caretLine(window)) === 19);

      const list = new QuickList(window);
      const exported = async (format: string, ending: string) => {
        await frame.getByRole('button', { name: `Export as ${format}` }).press('Enter');
        const name = `landmark.${ending}`;
        await until('a name for it', async () => (await list.input().inputValue()).endsWith(`/${name}`));
        await list.input().press('Enter');
        await until('it to be written', async () => (await workspace.read(name).catch(() => '')) !== '');
        return workspace.read(name);
      };
      const svg = await exported('SVG', 'svg');
      assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
      assert.match(svg, />Again &lt;b&gt;<\/text>/);
      assert.match(svg, /fill="rgb/);
      assert.doesNotMatch(svg, /class=|style=|var\(/);
      assert.match(
        await exported('Mermaid', 'mmd'),
        /^flowchart TD\n {2}n0\["plan"\]\n.*\n.*n1 -->\|"Again #60;b#62;"\| n0\n/s,
      );
      assert.match(await exported('PNG', 'png'), /PNG\r\n/);
    },
  );

  scene(
    'runs the graph in a new chat',
    { model: [], files: { [FILE]: GRAPH } },
    async ({ window, panel, workspace }) => {
      await open(window, workspace.resolve(FILE), 1);
      await window.startCommand('cairn.previewGraph');
      const frame = await pageFrame(window, 'Graph: landmark');
      await frame.getByRole('button', { name: 'Run', exact: true }).press('Enter');
      const chosen = (await panel.frame()).getByRole('button', { name: /landmark/ }).first();
      await chosen.waitFor();
    },
  );
});
