import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import { pressInDialog } from '../editor/pressInDialog';
import { story } from '../editor/story';
import { until } from '../editor/until';
import type { ModelRequest } from '../support/modelServer/modelRequest';
import { QuickList } from '../support/quickList';

const isTold = (words: string) => (request: ModelRequest) => request.messages[0]?.text.includes(words) ?? false;
const settings = { 'cairn.model': 'openai:test-model' };

describe('Untrusted text in the editor', () => {
  const scene = chapter({ settings });

  story(
    'adds no icons to a list, and neither reverses nor hides text there',
    {
      settings,
      files: {
        '.cairn/agents/guide.md': '---\ndescription: "$(check) Harm\u202eless\u{e0041}"\n---\nYou are guide.',
        '.cairn/agents/b\u200broken.md': '---\ndescripton: "\u202e"\n---\nHm.',
      },
    },
    async ({ panel, window }) => {
      await panel.open();
      const list = new QuickList(window);
      await list.open('cairn.chooseAgent');
      await list.waitForRow('Harm⟨U+202E⟩less⟨U+E0041⟩');
      assert.equal(await list.row('Harm').locator('.codicon-check').count(), 0);
      assert.match(await list.row('Harm').innerText(), /\$\(check\)/);
      await list.input().fill('cannot be used');
      await list.waitForRow('b⟨U+200B⟩roken.md cannot be used');
      assert.equal(await list.row('cannot be used').locator('.codicon-warning').count(), 1, 'our own icon is one');
      await list.dismiss();
    },
  );

  scene(
    'in a command is marked before the command can be run, with a warning',
    [
      { when: isTold('You turn what a user describes'), step: { say: 'ls \u202e# safe\u2066' } },
      { when: isTold('You explain commands of'), step: { say: 'It lists files.\u200b' } },
    ],
    async ({ panel, window }) => {
      await panel.open();
      const list = new QuickList(window);
      await list.open('cairn.describeCommand');
      await list.answer('list the files');
      const dialog = window.page.locator('.monaco-dialog-box');
      await until('the dialog', async () => (await dialog.innerText()).includes('It lists files.⟨U+200B⟩'));
      const words = await dialog.innerText();
      assert.match(words, /ls ⟨U\+202E⟩# safe⟨U\+2066⟩/);
      assert.match(words, /Caution: this contains characters that change the reading direction/);
      await pressInDialog(window, 'Edit…');
      await list.input().waitFor();
      await window.page.getByText('ls ⟨U+202E⟩# safe⟨U+2066⟩').first().waitFor();
      await list.dismiss();
      await pressInDialog(window, 'Cancel');
    },
  );
});
