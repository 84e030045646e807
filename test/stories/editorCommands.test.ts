import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CodeAction, Uri } from 'vscode';
import { chapter } from '../editor/chapter';
import type { EditorWindow } from '../editor/editorWindow';
import type { Panel } from '../editor/panel';
import { story } from '../editor/story';
import { until } from '../editor/until';

const settings = { 'cairn.model': 'openai:test-model' };
const files = { 'notes.txt': 'one\ntwo\nthree\n' };
const git = promisify(execFile);

/** The part of the editor's Git extension used here. */
interface GitExtension {
  getAPI(version: 1): { openRepository(root: Uri): Promise<{ rootUri: Uri; inputBox: { value: string } } | null> };
}

/** Selects whole lines of a file in the editor, 1-based. */
function select(window: EditorWindow, path: string, first: number, last: number): Promise<null> {
  return window.ev(
    async ({ vscode }, lines) => {
      const document = await vscode.workspace.openTextDocument(lines.path);
      const range = new vscode.Range(lines.first - 1, 0, lines.last, 0);
      await vscode.window.showTextDocument(document, { selection: range });
      return null;
    },
    { path, first, last },
  );
}

/** The attachments of the message being typed. */
async function chips(panel: Panel): Promise<string[]> {
  const list = (await panel.frame()).getByRole('list', { name: 'Attachments' });
  return list.getByRole('listitem').allInnerTexts();
}

describe('The editor commands', () => {
  const scene = chapter({ settings, files });

  scene('that have nothing to do say so in a note, not as an error', [], async ({ panel, window }) => {
    await panel.open();
    for (const [command, words] of [
      ['restoreCheckpoint', 'This session has no checkpoints yet.'],
      ['startPlan', 'There is no plan yet.'],
      ['keepAll', 'No changes to review.'],
      ['compactSession', 'Nothing to compact yet'],
      ['addSelection', 'No text editor is active.'],
    ] as const) {
      await window.command('notifications.clearAll');
      await window.startCommand(`cairn.${command}`);
      const note = window.page.locator('.notification-list-item', { hasText: words }).first();
      await until(`“${words}”`, async () => {
        await window.command('notifications.showList');
        return note.isVisible();
      });
      assert.equal(await note.locator('.codicon-info').count(), 1, command);
      assert.equal(await note.getByRole('button', { name: 'Show Log' }).count(), 0, command);
    }
    await window.command('notifications.clearAll');
  });

  story(
    'write a commit message for the staged changes into the source control view',
    {
      settings,
      files,
      model: [
        {
          when: ({ lastText }) => lastText.includes('diff --git'),
          step: ({ lastText }) => ({ say: lastText.includes('+better') ? 'Make it better' : 'No diff' }),
        },
      ],
    },
    async ({ window, workspace }) => {
      const run = (...args: string[]) => git('git', ['-C', workspace.path, ...args]);
      await run('init');
      await run('add', '.');
      await run('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-m', 'first');
      await workspace.write('notes.txt', 'better\n');
      await run('add', '.');
      const message = await window.ev(async ({ vscode }, folder) => {
        const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
        const api = (await extension?.activate())?.getAPI(1);
        const repository = await api?.openRepository(vscode.Uri.file(folder));
        await vscode.commands.executeCommand('cairn.writeCommitMessage', { rootUri: repository?.rootUri });
        return repository?.inputBox.value;
      }, workspace.path);
      assert.equal(message, 'Make it better');
    },
  );

  story(
    'say on the notification what a commit message waits for',
    {
      settings,
      files,
      model: [
        {
          when: ({ lastText }) => lastText.includes('diff --git'),
          step: { fail: { status: 429, headers: { 'retry-after': '50' } } },
        },
      ],
    },
    async ({ window, workspace }) => {
      await git('git', ['-C', workspace.path, 'init']);
      await git('git', ['-C', workspace.path, 'add', '.']);
      await window.ev(async ({ vscode }, folder) => {
        const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
        await (await extension?.activate())?.getAPI(1).openRepository(vscode.Uri.file(folder));
        return null;
      }, workspace.path);
      await window.startCommand('cairn.writeCommitMessage');
      const note = window.page.locator('.notification-list-item', { hasText: 'Rate limit reached. Trying again in' });
      await until('what it waits for', async () => {
        await window.command('notifications.showList');
        return note.first().isVisible();
      });
      await note.first().getByRole('button', { name: 'Cancel' }).click();
      await note.first().waitFor({ state: 'detached' });
    },
  );

  scene(
    'attach the selection and the file to the message',
    [(request) => ({ say: request.lastText })],
    async ({ panel, window, workspace }) => {
      await select(window, workspace.resolve('notes.txt'), 2, 3);
      await window.command('cairn.addSelection');
      await until('the selection', async () => (await chips(panel)).includes('notes.txt:2-3'));
      await window.startCommand('cairn.addFile');
      await until('both', async () => (await chips(panel)).join() === 'notes.txt:2-3,notes.txt');
      await panel.send('Well?');
      await panel.waitForText(/notes\.txt, lines 2-3[^]*2\stwo[^]*notes\.txt[^]*1\sone[^]*Well\?/, 'text');
    },
  );

  scene(
    'open the transcript as a document',
    [{ say: 'A **bold** answer.' }, { say: 'Another answer.' }],
    async ({ panel, window }) => {
      await panel.open();
      await panel.send('say something');
      await panel.waitForText('bold', 'text');
      await window.startCommand('cairn.openTranscript');
      const shown = () =>
        window.ev(({ vscode }) => {
          const document = vscode.window.activeTextEditor?.document;
          return document && { text: document.getText(), isUntitled: document.isUntitled, path: document.uri.path };
        });
      const isThere = async () => /^# say something\n[^]*A \*\*bold\*\* answer\./.test((await shown())?.text ?? '');
      await until('the transcript in the editor', isThere);
      assert.deepEqual(await shown().then((one) => [one?.isUntitled, one?.path]), [false, '/say something.md']);
      await panel.send('and more');
      await panel.waitForText('Another answer.', 'text');
      await window.startCommand('cairn.openTranscript');
      await until('what came since', async () => (await shown())?.text.includes('Another answer.') ?? false);
    },
  );

  scene(
    'explain the selection, and fix a problem by quick fix',
    [(request) => ({ say: `Asked: ${request.lastText}` }), (request) => ({ say: request.lastText })],
    async ({ panel, window, workspace }) => {
      const path = workspace.resolve('notes.txt');
      await select(window, path, 2, 2);
      await window.startCommand('cairn.explain');
      await panel.waitForText(/Asked: Explain this:[^]*@notes\.txt:2[^]*two/, 'text');
      const titles = await window.ev(async ({ vscode }, file) => {
        const uri = vscode.Uri.file(file);
        const range = new vscode.Range(2, 0, 2, 5);
        const problems = vscode.languages.createDiagnosticCollection('spelling');
        problems.set(uri, [new vscode.Diagnostic(range, 'three is spelled wrong')]);
        const actions = await vscode.commands.executeCommand<CodeAction[]>(
          'vscode.executeCodeActionProvider',
          uri,
          range,
        );
        const ours = actions.find(({ title }) => title === 'Fix with Cairn');
        if (!ours?.command) return 'there is no quick fix';
        void vscode.commands.executeCommand(
          ours.command.command,
          ...(ours.command.arguments ?? []).map((one: unknown) => one),
        );
        return ours.title;
      }, path);
      assert.equal(titles, 'Fix with Cairn');
      await panel.waitForText(/Fix this\.[^]*line 3, error: three is spelled wrong/, 'text');
    },
  );
});
