import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import { pressInDialog } from '../editor/pressInDialog';
import { repeatUntil } from '../editor/repeatUntil';
import { until } from '../editor/until';
import { isGone } from '../support/isGone';
import { QuickList } from '../support/quickList';

const settings = { 'cairn.model': 'openai:test-model' };
const freely = { 'cairn.approvalMode': 'nothing' };
const long = Array.from({ length: 400 }, (_, at) => `Paragraph ${at} of many.`).join('\n\n');
const read = { name: 'fs_read', arguments: { path: 'notes.txt' } };
const write = { name: 'fs_write', arguments: { path: 'notes.txt', contents: 'by the agent\n' } };

describe('The transcript', () => {
  const scene = chapter({ settings });

  scene(
    'lets the user edit an earlier message, restores the files, and keeps the older branch in the list',
    {
      settings: freely,
      files: { 'notes.txt': 'mine\n' },
      model: [{ say: 'Hello.' }, { call: [read] }, { call: [write] }, { say: 'Written.' }, { say: 'Another way.' }],
    },
    async ({ panel, workspace, model }) => {
      await panel.open();
      await panel.send('good day');
      await panel.waitForText('Hello.', 'text');
      await until('the end of the first turn', async () => (await panel.button('Send')).isVisible());
      await panel.send('write it down');
      await panel.waitForText('Written.', 'text');
      const edits = await panel.button('Edit message');
      await until('the end of the second turn', async () => (await edits.count()) === 2);
      const frame = await panel.frame();
      const box = frame.getByRole('textbox', { name: 'Edit message' });
      await repeatUntil(
        'the message to be edited',
        () => edits.last().press('Enter', { timeout: 5000 }),
        () => box.isVisible(),
        'redrawn',
      );
      await frame.getByRole('checkbox', { name: /Also restore notes\.txt/ }).check();
      await box.fill('do it otherwise');
      await repeatUntil(
        'it to be sent',
        () => box.press('Enter', { timeout: 5000 }),
        () => box.isHidden(),
        'redrawn',
      );
      await panel.waitForText('Another way.', 'text');
      assert.equal(await workspace.read('notes.txt'), 'mine\n');
      const said = model.requests.at(-1)?.messages.flatMap(({ role, text }) => (role === 'user' ? [text] : []));
      assert.deepEqual(said, ['good day', 'do it otherwise']);
      await until('the title of the branch', async () => (await panel.sessionTitle()) === 'good day (2)');
      await panel.openHistory();
      await panel.takeSession(/^good day(?! \(2\))/);
      await panel.waitForText('Written.', 'text');
    },
  );

  scene(
    'lists sessions in the panel, where they can be searched, renamed, and deleted after confirmation',
    [{ say: 'About apples.' }, { say: 'About pears.' }],
    async ({ panel, window }) => {
      await panel.open();
      await panel.send('apples are fruit');
      await panel.waitForText('About apples.', 'text');
      await until('the end of the turn', async () => (await panel.button('Send')).isVisible());
      await panel.newSession();
      await until('an empty panel', async () => (await panel.entries()).length === 0);
      await panel.send('pears are fruit');
      await panel.waitForText('About pears.', 'text');
      await until('the end of the turn', async () => (await panel.button('Send')).isVisible());
      await panel.openHistory();
      const frame = await panel.frame();
      const names = () => frame.locator('.session-name').allInnerTexts();
      await until('both', async () => (await names()).length === 2);
      await frame.getByRole('textbox', { name: 'Search sessions' }).fill('apples');
      await until('one', async () => (await names()).join() === 'apples are fruit');
      await frame.getByRole('textbox', { name: 'Search sessions' }).press('ArrowDown');
      const name = frame.getByRole('textbox', { name: 'Session name' });
      await repeatUntil(
        'a box for the name',
        () => frame.locator('.session-row').press('F2', { timeout: 5000 }),
        () => name.isVisible(),
        'redrawn',
      );
      await name.fill('Orchard');
      await repeatUntil(
        'the name to be taken',
        () => name.press('Enter', { timeout: 5000 }),
        () => name.isHidden(),
        'redrawn',
      );
      await frame.getByRole('textbox', { name: 'Search sessions' }).fill('');
      await until('the new name', async () => (await names()).includes('Orchard'));
      await repeatUntil(
        'the question',
        () => frame.locator('.session-row', { hasText: 'pears' }).press('Delete', { timeout: 5000 }),
        () => window.page.locator('.monaco-dialog-box').isVisible(),
        'redrawn',
      );
      await pressInDialog(window, 'Delete');
      await until('it to be gone', async () => (await names()).join() === 'Orchard');
      await until('another session instead', async () => (await panel.sessionTitle()) !== 'pears are fruit');
      assert.deepEqual(await names(), ['Orchard']);
      await window.startCommand('cairn.newSession');
      await until('the list to be gone', async () => (await frame.locator('.session-row').count()) === 0);
      await until('the chat instead', async () => (await panel.composer()).isVisible());
    },
  );

  scene(
    'renames and deletes sessions in the palette list, and opens one from it',
    [{ say: 'About plums.' }, { say: 'About quinces.' }],
    async ({ panel, window }) => {
      await panel.open();
      for (const fruit of ['plums', 'quinces']) {
        await window.command('cairn.newSession');
        await panel.send(`${fruit} are fruit`);
        await panel.waitForText(`About ${fruit}.`, 'text');
        await until('the end of the turn', async () => (await panel.button('Send')).isVisible());
      }
      const list = new QuickList(window);
      const press = (row: string, button: string, hasEffect: () => Promise<boolean>) =>
        repeatUntil(`“${button}” of ${row}`, () => list.pressButton(row, button), hasEffect, 'redrawn');
      await list.open('cairn.openSession');
      await list.input().fill('plums');
      await press('plums', 'Rename Session', async () => (await list.input().inputValue()) === 'plums are fruit');
      await list.answer('Orchard');
      await until('the search as it was', async () => (await list.input().inputValue()) === 'plums');
      await list.input().fill('');
      await list.waitForRow('Orchard');
      await press('quinces', 'Delete session…', () => window.page.locator('.monaco-dialog-box').isVisible());
      await pressInDialog(window, 'Delete');
      await until('it to be gone', async () => (await list.rows()).every((row) => !row.includes('quinces')));
      await list.waitForRow('Orchard');
      await repeatUntil(
        'the session to be taken',
        () => list.row('Orchard').click({ timeout: 5000 }),
        () => list.row('Orchard').isHidden(),
        'redrawn',
      );
      await panel.waitForText('About plums.', 'text');
      await until('its new title', async () => (await panel.sessionTitle()) === 'Orchard');
    },
  );

  scene(
    'stops one command but not the run, and the model continues without it',
    {
      settings: freely,
      model: [
        { call: [{ name: 'execute_command', arguments: { command: 'echo $$ > pid.txt; echo begun; sleep 600' } }] },
        (request) => ({ say: /stopped this command/.test(request.lastText) ? 'Then without it.' : 'Not told.' }),
      ],
    },
    async ({ panel, workspace }) => {
      await panel.open();
      await panel.send('wait');
      // The card shows the command, including this word, before it starts.
      const pid = await until('the command to begin', async () => Number(await workspace.read('pid.txt')));
      await panel.press('Stop command');
      await panel.waitForTool('execute_command', 'cancelled');
      await panel.waitForText('Then without it.', 'text');
      await until('the command to be gone', () => Promise.resolve(isGone(pid)));
    },
  );

  scene(
    'follows theme changes while it is open, and keeps its content',
    [{ say: 'Hello there.' }],
    async ({ panel, window }) => {
      await panel.open();
      await panel.send('hello');
      await panel.waitForText('Hello there.', 'text');
      const colour = async () => (await panel.frame()).evaluate<string>('getComputedStyle(document.body).color');
      const seen = new Set([await colour()]);
      for (const theme of ['light', 'high-contrast', 'high-contrast-light', 'dark'] as const) {
        const before = await colour();
        await window.setTheme(theme);
        await until(`the panel in ${theme}`, async () => (await colour()) !== before);
        seen.add(await colour());
        await panel.waitForText('Hello there.', 'text');
      }
      assert.ok(seen.size >= 3, [...seen].join());
    },
  );

  scene(
    'retries a failed turn with one button',
    [{ fail: { status: 400 } }, { say: 'Now it works.' }],
    async ({ panel }) => {
      await panel.open();
      await panel.send('hello');
      await panel.waitForText(/./, 'notice');
      await panel.press('Try again');
      await panel.waitForText('Now it works.', 'text');
    },
  );

  scene(
    'finds a word in a long session, by key and by command',
    [{ say: `The only heron.\n\n${long}`, chunk: 2000 }],
    async ({ panel, window }) => {
      await panel.open();
      await panel.send('tell me a lot');
      await panel.waitForText('Paragraph 399', 'text');
      await (await panel.composer()).press('Control+f');
      const box = (await panel.frame()).getByRole('textbox', { name: 'Find', exact: true });
      await box.fill('heron');
      const count = await panel.locate('.find-count');
      await until('the word to be found', async () => (await count.innerText()) === '1 of 1');
      const seen = (await panel.locate('p')).filter({ hasText: 'The only heron.' });
      await until('the beginning to be in view', async () => {
        const mark = await seen.boundingBox();
        const view = await (await panel.locate('.transcript')).boundingBox();
        return mark !== null && view !== null && mark.y >= view.y && mark.y < view.y + view.height;
      });
      await box.press('Escape');
      await until('the bar to be gone', async () => (await panel.locate('.find-bar')).isHidden());
      await window.startCommand('cairn.find');
      await until('the bar again', async () => (await panel.locate('.find-bar')).isVisible());
      await box.press('Escape');
      await until('no bar', async () => (await panel.locate('.find-bar')).isHidden());
    },
  );
});

describe('Code in the transcript', () => {
  const scene = chapter({ settings });

  scene(
    'can be inserted at the cursor, applied to its named file after a preview, and put into a terminal without running',
    {
      files: { 'a.txt': 'one\n', 'b.ts': 'export function a() {\n  return 1;\n}\n\nexport const b = 2;\n' },
      model: [
        {
          say: '```txt\ntwo\n```\n\n```ts b.ts\nexport function a() {\n  return 3;\n}\n```\n\n```sh\ntouch ran.txt\n```\n',
        },
      ],
    },
    async ({ panel, window, workspace }) => {
      await window.ev(async ({ vscode }, file) => {
        const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
        editor.selection = new vscode.Selection(1, 0, 1, 0);
        return null;
      }, workspace.resolve('a.txt'));
      await panel.open();
      await panel.send('some code');
      await panel.waitForText('touch ran.txt', 'text');
      // The languages are in a separate script, which the editor has to allow.
      await (await panel.locate('.hljs-keyword')).first().waitFor();
      await panel.press('Insert at cursor');
      const open = () => window.ev(({ vscode }) => vscode.window.activeTextEditor?.document.getText() ?? '');
      await until('the code in the file', async () => (await open()) === 'one\ntwo');
      await panel.press('Apply to b.ts');
      await window.page.locator('.diff-editor, .monaco-diff-editor').first().waitFor();
      assert.match(await workspace.read('b.ts'), /return 1/);
      await window.command('notifications.showList');
      const changed = 'export function a() {\n  return 3;\n}\n\nexport const b = 2;\n';
      const apply = window.page.locator('.notification-list-item .monaco-button', { hasText: 'Apply' }).first();
      await repeatUntil(
        'the change in the file',
        () => apply.click({ timeout: 5000 }),
        async () => (await open()) === changed,
        'redrawn',
      );
      await panel.press('Insert into terminal');
      await until('a terminal', () => window.ev(({ vscode }) => vscode.window.activeTerminal?.name === 'Cairn'));
      await window.page.locator('.terminal.xterm').first().waitFor();
      assert.equal(workspace.exists('ran.txt'), false);
    },
  );
});
