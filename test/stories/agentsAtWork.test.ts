import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import type { EditorWindow } from '../editor/editorWindow';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model' };
const guide = (description: string, words: string) =>
  `---\ndescription: ${description}\nconversation_starters: [${words}?]\n---\nYou are guide. ${words}.\n`;

/** Replaces a file's text in the editor and saves it. */
async function rewrite(window: EditorWindow, path: string, text: string): Promise<void> {
  await window.ev(
    async ({ vscode }, given) => {
      const document = await vscode.workspace.openTextDocument(given.path);
      const editor = await vscode.window.showTextDocument(document);
      const end = document.lineAt(document.lineCount - 1).range.end;
      await editor.edit((edit) => edit.replace(new vscode.Range(new vscode.Position(0, 0), end), given.text));
      await document.save();
      return null;
    },
    { path, text },
  );
}

describe('A working agent', () => {
  const scene = chapter({ settings });

  scene(
    'reports that it continues by itself, also when the session is reopened',
    [
      { call: [{ name: 'todo__init', arguments: { todos: ['look', 'tell'] } }] },
      { say: 'I looked around.' },
      { call: [{ name: 'todo__done', arguments: { id: 1 } }] },
      { say: 'One is left.' },
      { call: [{ name: 'todo__done', arguments: { id: 2 } }] },
      { say: 'Both are done.' },
    ],
    async ({ panel, window }) => {
      await panel.open();
      await panel.send('look and tell');
      await panel.waitForText('Both are done.', 'text');
      const told = async () =>
        (await panel.entries())
          .filter(({ kind }) => kind === 'notice')
          .map(({ text }) => text.replace(/^Note:\s+/, ''));
      const lines = [
        'Continuing automatically: 1 of 10, 2 to-dos open',
        'Continuing automatically: 2 of 10, 1 to-do open',
      ];
      assert.deepEqual(await told(), lines);
      await window.reload();
      await panel.open();
      await panel.waitForText('Both are done.', 'text');
      assert.deepEqual(await told(), lines);
    },
  );

  story(
    'is reloaded when its file is saved: the next message has the new prompt, the current run keeps the old one',
    {
      settings,
      files: { '.cairn/agents/guide.md': guide('Shows the way', 'Go north') },
      model: [
        { say: 'I look.', chunk: 100, hold: 'look', call: [{ name: 'fs_ls', arguments: { path: 'src' } }] },
        { say: 'I saw it.' },
        { say: 'Now anew.' },
      ],
    },
    async ({ panel, window, workspace, model }) => {
      await panel.open();
      const list = new QuickList(window);
      await list.open('cairn.chooseAgent');
      await panel.pick('Shows the way');
      await until('its starter', async () => (await panel.button('Go north?')).isVisible());
      await rewrite(window, workspace.resolve('.cairn/agents/guide.md'), guide('Shows it', 'Go west'));
      await until('its new starter', async () => (await panel.button('Go west?')).isVisible());
      await panel.send('lead me');
      await panel.waitForText('I look.', 'text');
      await rewrite(window, workspace.resolve('.cairn/agents/guide.md'), guide('Shows the sea', 'Go east'));
      await list.openUntil('cairn.chooseAgent', 'guide', 'Shows the sea');
      await list.dismiss();
      model.release('look');
      await panel.waitForText('I saw it.', 'text');
      await panel.send('and now?');
      await panel.waitForText('Now anew.', 'text');
      const prompts = model.requests.filter(({ tools }) => tools.length > 0).map(({ messages }) => messages[0]?.text);
      assert.deepEqual(
        prompts.map((prompt) => /Go \w+/.exec(prompt ?? '')?.[0]),
        ['Go west', 'Go west', 'Go east'],
      );
    },
  );

  story(
    'that cannot be read is listed with a link to the problem',
    {
      settings,
      files: {
        '.cairn/agents/guide.md': '---\ndescription: [Shows\n---\nYou are guide.',
        '.cairn/agents/flow/graph.yaml': 'name: flow\nnodes: 1\n',
      },
    },
    async ({ panel, window }) => {
      await panel.open();
      const list = new QuickList(window);
      await list.open('cairn.chooseAgent');
      await list.input().fill('flow');
      await list.waitForRow('flow/graph.yaml cannot be used');
      await list.input().fill('guide');
      await list.waitForRow('guide.md cannot be used');
      await panel.pick('guide.md cannot be used');
      await until('the file', () =>
        window.ev(({ vscode }) => vscode.window.activeTextEditor?.document.fileName.endsWith('guide.md') ?? false),
      );
    },
  );
});
