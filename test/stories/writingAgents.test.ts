import assert from 'node:assert/strict';
import type { CodeAction, CompletionList, Hover, MarkdownString } from 'vscode';
import type { EditorWindow } from '../editor/editorWindow';
import { focusFile, textEditorFocused } from '../editor/focusFile';
import { repeatUntil } from '../editor/repeatUntil';
import { story } from '../editor/story';
import { until } from '../editor/until';

const file = '.cairn/agents/helper.md';

/** Takes a quick fix at the caret; the list of fixes may ignore a click right after it has opened. */
async function takeFix(window: EditorWindow, title: string, becomes: string): Promise<void> {
  const fix = window.page.locator('.action-widget').getByText(title, { exact: true });
  await repeatUntil(
    `“${title}” to be taken`,
    async () => {
      if (!(await fix.isVisible())) await window.startCommand('editor.action.quickFix');
      await fix.click({ timeout: 5000 });
    },
    async () => (await text(window)).includes(becomes),
    'redrawn',
  );
  await textEditorFocused(window);
}

/** The entries in the Problems view for Cairn's files: "3:1 Unknown key …". */
function problems(window: EditorWindow): Promise<string[]> {
  return window.ev(({ vscode }) =>
    vscode.languages
      .getDiagnostics()
      .flatMap(([, all]) => all)
      .filter(({ source }) => source === 'Cairn')
      .map(
        ({ range, message }) =>
          `${range.start.line + 1}:${range.start.character + 1}-${range.end.character + 1} ${message}`,
      ),
  );
}

/** Whether the editor is offered the key "mode" where a key may start. */
function offersMode(window: EditorWindow, path: string): Promise<boolean> {
  return window.ev(async ({ vscode }, at) => {
    const list = await vscode.commands.executeCommand<CompletionList>(
      'vscode.executeCompletionItemProvider',
      vscode.Uri.file(at),
      new vscode.Position(1, 0),
    );
    return list.items.some(({ label }) => JSON.stringify(label).includes('mode'));
  }, path);
}

const text = (window: EditorWindow) =>
  window.ev(({ vscode }) => vscode.window.activeTextEditor?.document.getText() ?? '');

describe('Writing an agent', () => {
  story(
    'shows errors before the file is opened and during typing, and fixes them',
    { files: { [file]: '---\ndescripton: Helps\n---\nHelp.\n' } },
    async ({ window, workspace }) => {
      await until('the problem', async () => (await problems(window)).some((one) => one.includes('descripton')));
      await focusFile(window, workspace.resolve(file), { line: 2, column: 3 });
      await until('its range', async () =>
        (await problems(window)).join().startsWith('2:1-11 Unknown key “descripton”'),
      );
      await takeFix(window, 'Change to “description”', '---\ndescription: Helps');
      await until('no problem', async () => (await problems(window)).length === 0);
      // Not saved yet: the file on disk still contains it.
      assert.match(await workspace.read(file), /descripton/);
      await focusFile(window, workspace.resolve(file), { line: 2, column: 19 });
      await window.page.keyboard.type('\nmode: primry');
      await until('the value', async () =>
        (await problems(window)).join().startsWith('3:7-13 “mode”: expected one of primary, subagent, all.'),
      );
    },
  );

  story(
    'completes keys with their meaning, and values, during typing',
    { files: { [file]: '---\ndescription: Helps\n---\nHelp.\n' } },
    async ({ window, workspace }) => {
      const list = window.page.locator('.suggest-widget.visible');
      const rows = list.locator('.monaco-list-row');
      await until('Cairn to be awake', () => window.ev(({ extension }) => extension?.isActive));
      await focusFile(window, workspace.resolve(file), { line: 2, column: 19 });
      // The completions are loaded with the first such file.
      await until('keys to be known', () => offersMode(window, workspace.resolve(file)));
      await window.page.keyboard.press('Enter');
      await rows.first().waitFor();
      await window.page.keyboard.type('mod');
      const take = (row: string | RegExp, becomes: string) =>
        repeatUntil(
          `${String(row)} to be taken`,
          () => rows.filter({ hasText: row }).first().click({ timeout: 5000 }),
          async () => (await text(window)).includes(becomes),
          'redrawn',
        );
      await take(/^mode$/, '\nmode: \n');
      await take('subagent', '\nmode: subagent\n');
      await list.waitFor({ state: 'hidden' });
      await textEditorFocused(window);
      await window.page.keyboard.type('\ntools: [fs_gr');
      await take('fs_grep', '\ntools: [fs_grep');
      const [hover, inProse] = await window.ev(async ({ vscode }, path) => {
        const uri = vscode.Uri.file(path);
        const hovers = await vscode.commands.executeCommand<Hover[]>(
          'vscode.executeHoverProvider',
          uri,
          new vscode.Position(2, 1),
        );
        const said = hovers.flatMap(({ contents }) => contents).map((one) => (one as MarkdownString).value);
        const end = new vscode.Position(5, 2);
        const below = await vscode.commands.executeCommand<CompletionList>(
          'vscode.executeCompletionItemProvider',
          uri,
          end,
        );
        return [said.join('\n'), below.items.map(({ label }) => label).includes('conversation_starters')] as const;
      }, workspace.resolve(file));
      assert.match(hover, /Who may start it: `primary` people/);
      assert.equal(inProse, false);
    },
  );
});

const GRAPH = `name: flow
start: plan
nodes:
  plan: { type: llm, prompt: "Plan {{initial_prompt}}", next: buidl }
  build: { type: llm, prompt: Build }
  done: { type: end }
`;

describe('Writing a graph', () => {
  story(
    'fixes problems that a single edit can fix, and never removes a node',
    { files: { '.cairn/agents/flow/graph.yaml': GRAPH } },
    async ({ window, workspace }) => {
      const path = workspace.resolve('.cairn/agents/flow/graph.yaml');
      const told = (words: string) =>
        until(words, async () => (await problems(window)).some((one) => one.includes(words)));
      await focusFile(window, path, { line: 4, column: 66 });
      await told('names the node “buidl”');
      await takeFix(window, 'Change to “build”', 'next: build }');
      await told('“build” has no “next”');
      await focusFile(window, path, { line: 5, column: 4 });
      await takeFix(window, 'Write “next: done”', 'prompt: Build, next: done }');
      await until('no problem', async () => (await problems(window)).length === 0);
      await window.page.keyboard.press('End');
      await window.page.keyboard.type('\nlost: { type: end }');
      await told('Nothing leads to “lost”');
      const offered = await window.ev(async ({ vscode }, at) => {
        const uri = vscode.Uri.file(at);
        const [problem] = vscode.languages.getDiagnostics(uri);
        const range = problem?.range ?? new vscode.Range(0, 0, 0, 0);
        const all = await vscode.commands.executeCommand<CodeAction[]>('vscode.executeCodeActionProvider', uri, range);
        return all.filter(({ edit }) => edit !== undefined).map(({ title }) => title);
      }, path);
      assert.deepEqual(offered, []);
    },
  );
});
