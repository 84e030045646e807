import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import type { EditorWindow } from '../editor/editorWindow';
import { pressInDialog } from '../editor/pressInDialog';
import { repeatUntil } from '../editor/repeatUntil';
import { story } from '../editor/story';
import { until } from '../editor/until';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import type { WhenStep } from '../support/modelServer/story';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model' };
const isTold = (words: string) => (request: ModelRequest) => request.messages[0]?.text.includes(words) ?? false;
const writes: WhenStep = {
  when: isTold('You turn what a user describes'),
  step: ({ lastText }) => ({ say: lastText.includes('louder') ? '```sh\necho HELLO\n```' : 'echo hello' }),
};
const explains: WhenStep = {
  when: isTold('You explain commands of'),
  step: ({ lastText }) => ({ say: `It says a **word**: ${lastText}\n\n- \`echo\` says it` }),
};
const dialog = ({ page }: EditorWindow) => page.locator('.monaco-dialog-box');

async function waitForDialog(window: EditorWindow, text: string): Promise<void> {
  await until(`the dialog with “${text}”`, async () =>
    (await dialog(window).innerText()).replace(/\s+/g, ' ').includes(text),
  );
}

async function describeIt(window: EditorWindow, words: string): Promise<QuickList> {
  const list = new QuickList(window);
  await list.open('cairn.describeCommand');
  await list.answer(words);
  return list;
}

describe('A command generated from a description', () => {
  const scene = chapter({ settings });

  story(
    'is explained, revised, edited and run in the terminal',
    { settings, model: [writes, explains], env: { SHELL: '/bin/sh' } },
    async ({ panel, window, workspace, model }) => {
      await panel.open();
      const list = await describeIt(window, 'say hello');
      await waitForDialog(window, 'It says a word: echo hello • echo says it');
      await pressInDialog(window, 'Revise…');
      await list.answer('louder');
      await waitForDialog(window, 'It says a word: echo HELLO');
      assert.match(model.requests.at(-2)?.lastText ?? '', /say hello[^]*echo hello[^]*louder/);
      await pressInDialog(window, 'Edit…');
      await until('the command to edit', async () => (await list.input().inputValue()) === 'echo HELLO');
      await list.answer('echo HELLO > said.txt');
      await waitForDialog(window, 'It says a word: echo HELLO > said.txt');
      assert.equal(workspace.exists('said.txt'), false, 'nothing runs before Run is pressed');
      await pressInDialog(window, 'Run');
      await until('the terminal to have run it', async () => (await workspace.read('said.txt')) === 'HELLO\n');
      assert.equal((await panel.entries()).length, 0, 'the session has nothing of it');
    },
  );

  scene(
    'can be cancelled during generation',
    [{ when: isTold('You turn what'), step: { fail: 'hang' } }],
    async ({ panel, window }) => {
      await panel.open();
      await describeIt(window, 'say hello');
      await window.command('notifications.showList');
      const note = window.page.locator('.notification-list-item', { hasText: 'Generating the command' }).first();
      await note.waitFor();
      await repeatUntil(
        'it to be cancelled',
        () => note.locator('.monaco-button', { hasText: 'Cancel' }).click({ timeout: 5000 }),
        () => note.isHidden(),
        'redrawn',
      );
      assert.equal(await dialog(window).count(), 0);
    },
  );

  scene('can be copied', [writes, explains], async ({ panel, window }) => {
    await panel.open();
    await describeIt(window, 'say hello');
    await waitForDialog(window, 'It says a word: echo hello');
    await pressInDialog(window, 'Copy');
    const list = new QuickList(window);
    await list.open('cairn.describeCommand');
    await until('it to be pasted', async () => {
      await list.input().fill('');
      await list.input().press('Control+V');
      return (await list.input().inputValue()) === 'echo hello';
    });
  });
});
