import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chapter } from '../editor/chapter';
import type { EditorWindow } from '../editor/editorWindow';
import type { Panel } from '../editor/panel';
import { story } from '../editor/story';
import { until } from '../editor/until';
import { isSummingUp } from '../support/isSummingUp';

const settings = { 'cairn.model': 'openai:test-model' };
const recipes = { 'src/deep/recipe.txt': 'flour\n', 'out/recipe.txt': 'ignored\n', '.gitignore': 'out/\n' };
const git = promisify(execFile);

/** Types after the existing text, like a user, and takes a row of the list. */
async function complete(panel: Panel, text: string, row: string | RegExp): Promise<void> {
  await (await panel.composer()).focus();
  await (await panel.composer()).pressSequentially(text);
  await panel.takeOption(row);
}

/** Copies an image to the clipboard and pastes it into the composer. */
async function pastePicture(panel: Panel): Promise<void> {
  const frame = await panel.frame();
  await frame.evaluate(`(async () => {
    const canvas = new OffscreenCanvas(40, 30);
    canvas.getContext('2d').fillRect(0, 0, 40, 30);
    const data = new DataTransfer();
    const blob = await canvas.convertToBlob({ type: 'image/png' });
    data.items.add(new File([blob], 'image.png', { type: 'image/png' }));
    const paste = new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
    document.querySelector('textarea[data-role=message]').dispatchEvent(paste);
  })()`);
  await until('the picture', async () => (await panel.button('Remove Image')).isVisible());
}

/** Configures the test's model. The setting is machine-scoped, so a window cannot start with it. */
function describeModel(window: EditorWindow, more: object): Promise<null> {
  return window.ev(
    async ({ vscode }, models) => {
      await vscode.workspace.getConfiguration('cairn').update('models', models, vscode.ConfigurationTarget.Global);
      return null;
    },
    [{ id: 'openai:test-model', ...more }],
  );
}

async function statusText(window: EditorWindow): Promise<string> {
  return window.page.locator('.statusbar-item[id="cairn-agents.cairn.status"]').innerText();
}

describe('The composer', () => {
  const scene = chapter({ settings, files: { 'notes.txt': 'one\n', ...recipes } });

  story(
    'sends changed and new files from git, and only names a long file',
    {
      settings,
      files: { 'notes.txt': 'one\n', 'long.txt': 'a long line of it\n'.repeat(5_000) },
      model: [({ lastText }) => ({ say: lastText })],
    },
    async ({ panel, window, workspace }) => {
      const run = (...args: string[]) => git('git', ['-C', workspace.path, ...args]);
      await run('init');
      await run('add', '.');
      await run('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-m', 'first');
      await workspace.write('notes.txt', 'two\n');
      await workspace.write('fresh.txt', 'never added\n');
      await window.ev(async ({ vscode }, folder) => {
        const extension = vscode.extensions.getExtension<{
          getAPI(version: 1): { openRepository(root: unknown): Promise<unknown> };
        }>('vscode.git');
        await (await extension?.activate())?.getAPI(1).openRepository(vscode.Uri.file(folder));
        return null;
      }, workspace.path);
      await panel.open();
      await complete(panel, '@git', 'Git changes');
      await complete(panel, '@long', /long\.txt/);
      await panel.send('Sum it up');
      const answer = await panel.waitForText(/git diff[^]*-one[^]*\+two[^]*fresh\.txt[^]*\+never added/, 'text');
      assert.match(answer.text, /long\.txt[^]*too long to be here/);
      assert.doesNotMatch(answer.text, /a long line of it/);
    },
  );

  scene(
    'delegates a message to the agent mentioned in it',
    {
      model: [
        { when: ({ lastText }) => lastText.includes('agent: explore'), step: ({ lastText }) => ({ say: lastText }) },
      ],
    },
    async ({ panel }) => {
      await panel.open();
      await complete(panel, '@agent:expl', 'explore');
      await panel.send('Where are the recipes?');
      await panel.waitForText(/I want the agent “explore” to work on this\.[^]*Where are the recipes\?/, 'text');
      const sent = (await panel.frame()).getByRole('list', { name: 'Attachments' });
      assert.match(await sent.first().innerText(), /explore/);
    },
  );

  scene(
    'sends another tool’s workspace command, and shows the typed text with its source',
    {
      model: [(request) => ({ say: `Reviewed: ${request.lastText}` })],
      files: {
        '.claude/commands/team/look.md':
          '---\ndescription: Looks at a file\nargument-hint: <file>\n---\nLook closely at $1.',
      },
    },
    async ({ panel, window }) => {
      await panel.open();
      await complete(panel, '/look', /team:look/);
      await (await panel.composer()).pressSequentially('recipe.txt');
      await (await panel.composer()).press('Enter');
      await panel.waitForText(/Reviewed:[^]*Look closely at recipe\.txt\.[^]*\/team:look recipe\.txt/, 'text');
      const sent = (await panel.frame()).getByRole('list', { name: 'Attachments' });
      assert.match(await sent.innerText(), /\/team:look/);
      await until('the title', async () => (await panel.sessionTitle()) === '/team:look recipe.txt');
      await window.reload();
      await panel.open();
      await panel.waitForText('/team:look recipe.txt', 'user');
    },
  );

  scene(
    'shows the session cost in the meter and the status bar',
    [{ say: 'Done.', usage: { input: 10_000, output: 1_000 } }],
    async ({ panel, window }) => {
      const prices = { input: 100, output: 100 };
      await describeModel(window, { label: 'Priced', contextWindow: 100_000, prices });
      await panel.open();
      await panel.send('work');
      await panel.waitForText('Done.', 'text');
      await until('the cost in the status bar', async () => /\$1\.10/.test(await statusText(window)));
      const meter = (await panel.frame()).getByRole('meter', { name: 'Context used' });
      const told = async () => (await meter.getAttribute('title')) ?? '';
      await until('the cost in the meter', async () => /11% of context[^]*Cost: \$1\.10/.test(await told()));
      await window.reload();
      await panel.open();
      await until('the cost after a reload', async () => /\$1\.10/.test(await statusText(window)));
    },
  );

  scene(
    'finds a file by @ and sends its unsaved text in the editor to the model',
    [({ lastText }) => ({ say: `Got: ${lastText}` })],
    async ({ panel, window, workspace }) => {
      await window.ev(async ({ vscode }, path) => {
        const document = await vscode.workspace.openTextDocument(path);
        const editor = await vscode.window.showTextDocument(document);
        await editor.edit((edit) => edit.insert(new vscode.Position(1, 0), 'sugar\n'));
        return null;
      }, workspace.resolve('src/deep/recipe.txt'));
      await panel.open();
      await (await panel.composer()).pressSequentially('@recip');
      const rows = (await panel.frame()).getByRole('option', { name: /recipe\.txt/ });
      await until('the file', async () => (await rows.count()) > 0);
      const names = await rows.allInnerTexts();
      assert.ok(!names.some((name) => name.includes('out')), names.join('; '));
      await panel.takeOption(/recipe\.txt/);
      await panel.send('What is missing?');
      await panel.waitForText(/Got:[^]*src\/deep\/recipe\.txt[^]*1\sflour[^]*2\ssugar[^]*What is missing\?/, 'text');
      const sent = (await panel.frame()).getByRole('list', { name: 'Attachments' });
      assert.match(await sent.innerText(), /recipe\.txt/);
      assert.doesNotMatch(await panel.sessionTitle(), /flour/);
      await window.reload();
      await panel.open();
      await until('the chip after a reload', async () =>
        (await panel.frame()).getByRole('list', { name: 'Attachments' }).isVisible(),
      );
    },
  );

  scene(
    'opens the list of attachments by button, and searches one of its categories',
    [({ lastText }) => ({ say: `Got: ${lastText}` })],
    async ({ panel }) => {
      await panel.open();
      await panel.press('Add context');
      await panel.takeOption(/Folders…/);
      await until('its mark', async () => (await (await panel.composer()).inputValue()) === '@folder:');
      const options = (await panel.frame()).getByRole('option');
      await until('the folders', async () => (await options.allInnerTexts()).join().includes('deep'));
      const names = await options.allInnerTexts();
      assert.ok(!names.some((name) => /recipe|out/.test(name)), names.join('; '));
      await (await panel.composer()).pressSequentially('dee');
      await panel.takeOption(/deep/);
      await panel.send('What is in it?');
      await panel.waitForText(/Got:[^]*recipe\.txt[^]*What is in it\?/, 'text');
    },
  );

  scene(
    'offers the open file or the selection, and sends it only after a click',
    [{ say: 'First.' }, ({ lastText }) => ({ say: `Got: ${lastText}` })],
    async ({ panel, window, workspace }) => {
      await panel.open();
      const show = (path: string, lines: number) =>
        window.ev(
          async ({ vscode }, [file, last]) => {
            const selection = new vscode.Range(0, 0, last, 0);
            await vscode.window.showTextDocument(vscode.Uri.file(file), { selection, preserveFocus: true });
            return null;
          },
          [path, lines] as const,
        );
      await show(workspace.resolve('notes.txt'), 0);
      const isOffered = async (name: string) => (await panel.button(`Add ${name}`)).isVisible();
      await until('the file to be offered', () => isOffered('notes.txt'));
      await panel.send('without it');
      await panel.waitForText('First.', 'text');
      await until('the file to be offered still', () => isOffered('notes.txt'));
      await show(workspace.resolve('src/deep/recipe.txt'), 1);
      await until('the selection to be offered', () => isOffered('recipe.txt:1'));
      await panel.press('Add recipe.txt:1');
      await until('the chip', async () => (await panel.button('Remove recipe.txt:1')).isVisible());
      await panel.send('with it');
      await panel.waitForText(/Got:[^]*flour[^]*with it/, 'text');
    },
  );

  scene(
    'sends a pasted image to the model, and shows it in the message',
    [{ say: 'A black picture.' }, { say: 'The same one.' }],
    async ({ panel, window, model }) => {
      await panel.open();
      await pastePicture(panel);
      await panel.send('What is it?');
      await panel.waitForText('A black picture.', 'text');
      assert.match(model.requests[0]?.messages.at(-1)?.images[0] ?? '', /^data:image\/png;base64,/);
      const shown = async () => (await panel.frame()).getByRole('img', { name: 'Image' }).isVisible();
      await until('the picture in the message', shown);
      await window.reload();
      await panel.open();
      await until('the picture after a reload', shown);
      await panel.send('And now?');
      await panel.waitForText('The same one.', 'text');
      assert.equal(model.requests.at(-1)?.messages.filter(({ images }) => images.length > 0).length, 1);
    },
  );

  scene('runs a command after /, and reports an unknown one', [{ say: 'First answer.' }], async ({ panel, model }) => {
    await panel.open();
    await panel.send('first');
    await panel.waitForText('First answer.', 'text');
    await panel.send('/nonsense');
    const alert = (await panel.frame()).getByRole('alert');
    await until('the word on it', async () => /There is no command \/nonsense/.test(await alert.innerText()));
    await (await panel.composer()).fill('');
    await complete(panel, '/ne', /\/new/);
    await until('an empty session', async () => (await panel.entries()).length === 0);
    assert.equal(model.requests.filter(({ tools }) => tools.length > 0).length, 1);
  });

  scene(
    'summarizes a conversation on /compact, and continues from the summary',
    [
      { say: 'One.' },
      { say: 'Two.' },
      { when: isSummingUp, step: { say: 'THE SUMMARY' } },
      ({ messages }) => ({ say: `${messages.length}` }),
    ],
    async ({ panel, model }) => {
      await panel.open();
      await panel.send('first');
      await panel.waitForText('One.', 'text');
      await panel.send('second');
      await panel.waitForText('Two.', 'text');
      await until('the run to end', async () => (await (await panel.button('Stop')).count()) === 0);
      await complete(panel, '/comp', /\/compact/);
      await panel.waitForText('Conversation compacted', 'notice');
      await panel.send('third');
      await until('the next request', () => model.requests.some(({ lastText }) => lastText === 'third'));
      assert.match(
        model.requests
          .at(-1)
          ?.messages.map(({ text }) => text)
          .join('\n') ?? '',
        /THE SUMMARY/,
      );
    },
  );

  scene(
    'queues a message while the agent works, until it is withdrawn or delivered',
    [
      { hold: 'thinking', say: 'I look. ', call: [{ name: 'fs_ls', arguments: { path: '.' } }] },
      ({ messages }) => ({
        say: `Heard: ${messages.flatMap((one) => (one.role === 'user' ? [one.text] : [])).join(' / ')}`,
      }),
    ],
    async ({ panel, model }) => {
      await panel.open();
      await panel.send('begin');
      await panel.waitForText('I', 'text');
      await panel.send('forget this');
      await panel.send('and be brief');
      const queue = async () => (await panel.frame()).getByRole('region', { name: 'Queued messages' });
      await until('both to wait', async () => /forget this[^]*and be brief/.test(await (await queue()).innerText()));
      const isWithdrawn = async () => !/forget this/.test(await (await queue()).innerText());
      await panel.press('Withdraw queued message');
      await until('one to be left', isWithdrawn);
      model.release('thinking');
      await panel.waitForText('Heard: begin / and be brief', 'text');
      await until('nothing to wait', async () => (await (await queue()).count()) === 0);
      await panel.waitForText('and be brief', 'user');
    },
  );

  scene(
    'interrupts the agent to send a queued message now',
    [{ hold: 'for ever', say: 'A long story begins.', chunk: 6 }, { say: 'Yes, at once.' }],
    async ({ panel }) => {
      await panel.open();
      await panel.send('tell me a story');
      await panel.waitForText('A', 'text');
      await panel.send('stop that and answer');
      await panel.press('Send now');
      await panel.waitForText('Yes, at once.', 'text');
    },
  );

  scene(
    'works with the keyboard alone, from the open panel to the answer',
    [({ lastText }) => ({ say: `Read: ${lastText}` })],
    async ({ panel, window }) => {
      await panel.open();
      const keys = window.page.keyboard;
      await until('the focus in the composer', async () =>
        (await panel.frame()).evaluate<boolean>('document.activeElement.dataset.role === "message"'),
      );
      await keys.type('@notes.t');
      await (await panel.frame()).getByRole('option', { name: /notes\.txt/, selected: true }).waitFor();
      await keys.press('Enter');
      await until('the chip', async () => (await panel.button('Remove notes.txt')).isVisible());
      await keys.type('What is in it?');
      await keys.press('Enter');
      await panel.waitForText(/Read:[^]*1\sone[^]*What is in it\?/, 'text');
    },
  );

  scene(
    'attaches what Enter was pressed for, however fast it is typed',
    [({ lastText }) => ({ say: `Read: ${lastText}` })],
    async ({ panel, window }) => {
      await panel.open();
      await (await panel.composer()).focus();
      const keys = window.page.keyboard;
      await keys.type('@notes.t');
      await keys.press('Enter');
      await keys.type('What is in it?');
      await until('the chip', async () => (await panel.button('Remove notes.txt')).isVisible());
      await keys.press('Enter');
      await panel.waitForText(/Read:[^]*1\sone[^]*What is in it\?/, 'text');
    },
  );

  // Last, because the notice above the message stays.
  scene(
    'does not send an image to a model without vision, and restores the message',
    [],
    async ({ panel, window, model }) => {
      await describeModel(window, { label: 'Blind model', abilities: { vision: false } });
      await panel.open();
      await pastePicture(panel);
      await panel.send('What is it?');
      const alert = (await panel.frame()).getByRole('alert');
      await until('the reason', async () => /Blind model does not support images/.test(await alert.innerText()));
      await until('the message', async () => (await (await panel.composer()).inputValue()) === 'What is it?');
      await until('its picture', async () => (await panel.button('Remove Image')).isVisible());
      assert.equal(model.requests.length, 0);
    },
  );
});
