import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import { pressChord } from '../editor/pressChord';
import { pressInDialog } from '../editor/pressInDialog';
import { leftToReview } from '../editor/leftToReview';
import { until } from '../editor/until';
import type { WorkspaceFolder } from '../editor/workspaceFolder';
import { isSummingUp } from '../support/isSummingUp';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model' };
const files = { 'notes.txt': 'one\ntwo\n' };
const edit = { name: 'fs_edit', arguments: { path: 'notes.txt', old_string: 'two', new_string: 'better' } };
const edited = 'one\nbetter\n';

async function has(workspace: WorkspaceFolder, file: string, text: RegExp): Promise<boolean> {
  return workspace.read(file).then(
    (found) => text.test(found),
    () => false,
  );
}

describe('A command', () => {
  const scene = chapter({ settings, files });

  scene(
    'opens all changes for review, and undoes them all',
    {
      settings: { 'cairn.approvalMode': 'review-after' },
      model: [
        { call: [edit, { name: 'fs_write', arguments: { path: 'new.txt', contents: 'new\n' } }] },
        { say: 'Done.' },
      ],
    },
    async ({ panel, window, workspace }) => {
      await panel.open();
      await window.startCommand('cairn.reviewChanges');
      await window.page.getByText('No changes to review.').first().waitFor();
      await panel.send('make it better');
      await panel.waitForText('Done.', 'text');
      await leftToReview(panel, '2 files to review');
      await window.startCommand('cairn.reviewChanges');
      for (const name of ['notes.txt', 'new.txt'])
        await window.page.locator('.multiDiffEntry', { hasText: name }).first().waitFor();
      await window.startCommand('cairn.undoAll');
      await until('the file to be back', () => has(workspace, 'notes.txt', /^one\ntwo\n$/));
      await until('the new file to be gone', async () => !(await has(workspace, 'new.txt', /./)));
    },
  );

  scene('shows the Cairn log', [], async ({ panel, window }) => {
    await panel.open();
    await window.startCommand('cairn.showLog');
    await window.page.locator('[id="workbench.panel.output"]').waitFor();
    const isShown = () =>
      window.ev(({ vscode }) =>
        vscode.window.visibleTextEditors.some(
          ({ document }) => document.uri.scheme === 'output' && document.uri.path.includes('Cairn'),
        ),
      );
    await until('the log to be shown', isShown);
  });

  scene(
    'changes the approval mode of the current session',
    [{ call: [edit] }, { say: 'Written.' }],
    async ({ panel, window, workspace }) => {
      await panel.open();
      await window.startCommand('cairn.chooseApprovalMode');
      await panel.pick('Full auto');
      await pressInDialog(window, 'Turn On Full Auto');
      await until('the mode', async () => (await panel.button('Approvals: Full auto')).isVisible());
      await panel.send('make it better');
      await panel.waitForText('Written.', 'text');
      assert.equal(await workspace.read('notes.txt'), edited);
    },
  );

  scene(
    'limits the agent to reading in the current session, which remembers it until changed back',
    [{ say: 'I would write it so.' }, { call: [edit] }, { say: 'Written.' }],
    async ({ panel, window, workspace, model }) => {
      await panel.open();
      await window.startCommand('cairn.chooseMode');
      await panel.pick('Ask');
      await until('the mode', async () => (await panel.button('Mode: Ask')).isVisible());
      await panel.send('how would you write it?');
      await panel.waitForText('I would write it so.', 'text');
      const offered = model.requests.find(({ tools }) => tools.length > 0)?.tools ?? [];
      assert.ok(offered.includes('fs_read') && !offered.includes('fs_edit'), offered.join());
      await window.reload();
      await panel.open();
      await until('the mode again', async () => (await panel.button('Mode: Ask')).isVisible());
      await window.startCommand('cairn.chooseMode');
      await panel.pick('Agent');
      await until('the other mode', async () => (await panel.button('Mode: Agent')).isVisible());
      await panel.send('write it');
      await panel.approve();
      await panel.waitForText('Written.', 'text');
      assert.equal(await workspace.read('notes.txt'), edited);
    },
  );

  scene(
    'opens a plan as a document to edit, and runs it in the same conversation and in a new one',
    [
      { say: '# Plan\n\n- [ ] Write better' },
      { say: 'Done as planned.' },
      { say: '# Second plan\n\n- [ ] Write best' },
      { say: 'Done afresh.' },
    ],
    async ({ panel, window, model }) => {
      const asked = () => model.requests.filter(({ tools }) => tools.length > 0);
      const plan = async () => {
        await window.startCommand('cairn.chooseMode');
        await panel.pick('Plan');
        await until('the mode', async () => (await panel.button('Mode: Plan')).isVisible());
      };
      await panel.open();
      await plan();
      await panel.send('plan the harbour');
      await panel.waitForText('The plan is ready', 'turn');
      await panel.press('Edit');
      const text = () => window.ev(({ vscode }) => vscode.window.activeTextEditor?.document.getText() ?? '');
      await until('the document', async () => (await text()).startsWith('# Plan'));
      await window.ev(({ vscode }) =>
        vscode.window.activeTextEditor?.edit((edit) => edit.insert(new vscode.Position(3, 0), '\n- [ ] Mind the tide')),
      );
      await panel.press('Carry out…');
      await panel.pick('Keep this conversation');
      await panel.waitForText('Done as planned.', 'text');
      await until('the other mode', async () => (await panel.button('Mode: Agent')).isVisible());
      const [, first] = asked();
      const said = (request: typeof first, words: RegExp) => request?.messages.some(({ text }) => words.test(text));
      assert.ok(said(first, /^Carry out this plan[^]*Write better\n- \[ \] Mind the tide/));
      assert.ok(first?.tools.includes('fs_edit') && said(first, /plan the harbour/));
      await plan();
      const drawn = await until('the ends of both turns', async () => {
        const ends = (await panel.entries()).filter(({ kind }) => kind === 'turn');
        return ends.length === 2 ? ends : undefined;
      });
      assert.ok(!drawn.some(({ text }) => text.includes('plan')), JSON.stringify(drawn));
      await panel.send('plan more');
      await panel.waitForText('The plan is ready', 'turn');
      await panel.press('Carry out…');
      await panel.pick('Start fresh');
      await panel.waitForText('Done afresh.', 'text');
      const last = asked().at(-1);
      assert.ok(said(last, /^Carry out this plan[^]*Write best/));
      assert.ok(last?.tools.includes('fs_edit') && !said(last, /plan the harbour/));
    },
  );

  scene(
    'shows the full plan before running it when the chat does not show all of it',
    [{ say: '# Plan\n\n- [ ] Write better\n\n[//]: # (And push it.)' }, { say: 'Done.' }],
    async ({ panel, window, model }) => {
      await panel.open();
      await window.startCommand('cairn.chooseMode');
      await panel.pick('Plan');
      await until('the mode', async () => (await panel.button('Mode: Plan')).isVisible());
      await panel.send('plan the harbour');
      await panel.waitForText('The plan is ready', 'turn');
      await panel.press('Carry out…');
      await window.page.getByText('Part of this plan is not visible in the chat').first().waitFor();
      const text = () => window.ev(({ vscode }) => vscode.window.activeTextEditor?.document.getText() ?? '');
      await until('the document', async () => (await text()).includes('And push it.'));
      assert.ok(!model.requests.some(({ lastText }) => lastText.startsWith('Carry out')));
      await panel.press('Carry out…');
      await panel.pick('Keep this conversation');
      await panel.waitForText('Done.', 'text');
    },
  );

  scene(
    'exports the current session to a file named after its title, and opens it',
    [{ say: 'A memorable answer.' }],
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('hello there');
      await panel.waitForText('A memorable answer.', 'text');
      const list = new QuickList(window);
      await list.open('cairn.exportSession');
      const isWritten = () => has(workspace, 'hello-there.md', /hello there[^]*A memorable answer\./);
      await list.saveAs('/hello-there.md', isWritten);
      const path = () => window.ev(({ vscode }) => vscode.window.activeTextEditor?.document.uri.path ?? '');
      await until('it to be open', async () => (await path()).endsWith('/hello-there.md'));
    },
  );

  scene(
    'makes the model summarize the session, and refuses if there is nothing to summarize',
    [{ say: 'One.' }, { say: 'Two.' }, { when: isSummingUp, step: { say: 'THE SUMMARY' } }, { say: 'Three.' }],
    async ({ panel, window, model }) => {
      await panel.open();
      await window.startCommand('cairn.compactSession');
      await window.page.getByText('Nothing to compact yet: this session is empty.').first().waitFor();
      for (const [words, answer] of [
        ['first', 'One.'],
        ['second', 'Two.'],
      ] as const) {
        await panel.send(words);
        await panel.waitForText(answer, 'text');
      }
      await until('the run to end', async () => (await (await panel.button('Stop')).count()) === 0);
      await window.startCommand('cairn.compactSession');
      await panel.waitForText('Conversation compacted', 'notice');
      await panel.send('third');
      await panel.waitForText('Three.', 'text');
      const sent = model.requests.at(-1)?.messages.map(({ text }) => text) ?? [];
      assert.match(sent.join('\n'), /THE SUMMARY/);
    },
  );

  scene(
    'attaches the problems of the file, and reports if there are none',
    [(request) => ({ say: request.lastText })],
    async ({ panel, window, workspace }) => {
      await panel.open();
      await window.ev(async ({ vscode }, path) => {
        await vscode.window.showTextDocument(vscode.Uri.file(path));
        return null;
      }, workspace.resolve('notes.txt'));
      await window.startCommand('cairn.addProblems');
      await window.page.getByText('This file has no problems.').first().waitFor();
      await window.ev(({ vscode }, path) => {
        const problems = vscode.languages.createDiagnosticCollection('spelling');
        const range = new vscode.Range(1, 0, 1, 3);
        problems.set(vscode.Uri.file(path), [new vscode.Diagnostic(range, 'two is spelled wrong')]);
        return null;
      }, workspace.resolve('notes.txt'));
      await window.startCommand('cairn.addProblems');
      const chips = (await panel.frame()).getByRole('list', { name: 'Attachments' });
      await chips.getByText('Problems in notes.txt').waitFor();
      await panel.send('Fix them.');
      await panel.waitForText(/two is spelled wrong[^]*Fix them\./, 'text');
    },
  );
});

describe('A key binding', () => {
  const scene = chapter({ settings, files });

  scene(
    'opens the diff of the pending edit, and accepts it',
    [{ call: [edit] }, { say: 'Written.' }],
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('make it better');
      await panel.waitForApproval();
      const diff = window.page.locator('.monaco-diff-editor .editor.modified .view-line', { hasText: 'better' });
      await pressChord(window, ['Control+k', 'Control+g'], async () => (await diff.count()) > 0);
      await panel.answerByKeys('Control+k', 'Control+y');
      await panel.waitForText('Written.', 'text');
      assert.equal(await workspace.read('notes.txt'), edited);
    },
  );

  scene(
    'rejects the pending edit, and stops the run',
    [{ call: [edit] }, { say: 'A long answer that goes on', chunk: 6, hold: 'forever' }],
    async ({ panel, window, workspace, model }) => {
      await panel.open();
      await panel.send('make it better');
      await panel.waitForApproval();
      await panel.answerByKeys('Control+k', 'Control+Shift+Y');
      await panel.waitForTool('fs_edit', 'rejected');
      assert.equal(await workspace.read('notes.txt'), files['notes.txt']);
      await panel.waitForText('A long', 'text');
      await pressChord(window, ['Control+k', 'Control+Shift+.'], async () => (await panel.button('Send')).isVisible());
      await model.requests[1]?.hungUp;
    },
  );
});

describe('A template', () => {
  // Last, because there is no way to tell when the new skill is forgotten again.
  const scene = chapter({ settings, files });

  scene(
    'is turned into a new graph, a new skill and a new role by command',
    [],
    async ({ panel, window, workspace }) => {
      const list = new QuickList(window);
      const path = () => window.ev(({ vscode }) => vscode.window.activeTextEditor?.document.uri.path ?? '');
      await window.startCommand('cairn.newGraph');
      await panel.pick('Two sides');
      await panel.pick('This workspace');
      await list.answer('sides');
      const graph = '.cairn/agents/sides/graph.yaml';
      await until('the new graph', () => has(workspace, graph, /name: 'sides'/));
      await until('it to be open', async () => (await path()).endsWith(graph));
      for (const [command, file] of [
        ['cairn.newSkill', '.cairn/skills/helper/SKILL.md'],
        ['cairn.newRole', '.cairn/roles/helper.md'],
      ] as const) {
        await window.startCommand(command);
        await panel.pick('This workspace');
        await list.answer('helper');
        await until(`the new file ${file}`, () => has(workspace, file, /helper/));
        await until('it to be open', async () => (await path()).endsWith(file));
      }
    },
  );
});
