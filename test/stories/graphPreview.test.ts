import assert from 'node:assert/strict';
import { pageFrame } from '../editor/pageFrame';
import type { EditorWindow } from '../editor/editorWindow';
import { chapter } from '../editor/chapter';
import { clickReaches } from '../editor/clickReaches';
import { pressKey } from '../editor/pressKey';
import { repeatUntil } from '../editor/repeatUntil';
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
      const tab = window.page.locator('.tabs-container .tab', { hasText: 'Graph: landmark' });
      await repeatUntil(
        'the preview to be opened',
        () => lens.click({ timeout: 5000 }),
        () => tab.isVisible(),
        'redrawn',
      );
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

      await until('the node to be clicked', () => clickReaches(box(/^done\. /)));
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
      for (const [from, key, to] of [
        ['plan', 'ArrowDown', 'gate'],
        ['gate', 'ArrowDown', 'done'],
        ['done', 'ArrowRight', 'left'],
      ] as const) {
        await pressKey(frame.locator(`[data-box=${from}]`), key);
        await frame.locator(`[data-box=${to}]:focus`).waitFor();
      }
      await pressKey(frame.locator('[data-box=left]'));
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
      await pressKey(toggle);
      const rows = frame.getByRole('list', { name: 'Nodes of landmark' }).getByRole('button');
      // A row that is in the document may not be painted yet, and has no text until then.
      await until(
        'a row for each node',
        async () => (await rows.allInnerTexts()).map((row) => /^\w*/.exec(row)?.[0]).join() === 'plan,gate,done,left',
      );
      for (const [from, key, to] of [
        [0, 'ArrowDown', 1],
        [1, 'ArrowDown', 2],
        [2, 'ArrowUp', 1],
        [1, 'End', 3],
      ] as const) {
        await pressKey(rows.nth(from), key);
        await rows.nth(to).and(frame.locator(':focus')).waitFor();
      }
      await pressKey(rows.nth(3));
      await until('the line of the last', async () => (await caretLine(window)) === 19);

      const list = new QuickList(window);
      const exported = async (format: string, ending: string, last: RegExp) => {
        await pressKey(frame.getByRole('button', { name: `Export as ${format}` }));
        const name = `landmark.${ending}`;
        const read = () => workspace.read(name).catch(() => '');
        await list.saveAs(`/${name}`, async () => last.test(await read()));
        return read();
      };
      const svg = await exported('SVG', 'svg', /<\/svg>\s*$/);
      assert.match(svg, /^<svg [^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
      assert.match(svg, />Again &lt;b&gt;<\/text>/);
      assert.match(svg, /fill="rgb/);
      assert.doesNotMatch(svg, /class=|style=|var\(/);
      assert.match(
        await exported('Mermaid', 'mmd', /n1 -->\|"Again.*\n/),
        /^flowchart TD\n {2}n0\["plan"\]\n.*\n.*n1 -->\|"Again #60;b#62;"\| n0\n/s,
      );
      assert.match(await exported('PNG', 'png', /IEND/), /PNG\r\n/);
    },
  );

  scene(
    'runs the graph in a new chat',
    { model: [], files: { [FILE]: GRAPH } },
    async ({ window, panel, workspace }) => {
      await open(window, workspace.resolve(FILE), 1);
      await window.startCommand('cairn.previewGraph');
      const frame = await pageFrame(window, 'Graph: landmark');
      await pressKey(frame.getByRole('button', { name: 'Run', exact: true }));
      const chosen = (await panel.frame()).getByRole('button', { name: /landmark/ }).first();
      await chosen.waitFor();
    },
  );
});
