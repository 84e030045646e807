import assert from 'node:assert/strict';
import { chapter } from '../editor/chapter';
import { until } from '../editor/until';
import { isGone } from '../support/isGone';

const settings = { 'cairn.model': 'openai:test-model' };
const freely = { 'cairn.approvalMode': 'nothing' };

describe('A run', () => {
  const scene = chapter({ settings });

  scene(
    'shows the output of a running command, and kills it when stopped',
    {
      settings: freely,
      model: [
        { call: [{ name: 'execute_command', arguments: { command: 'echo $$ > pid.txt; echo begun; sleep 600' } }] },
      ],
    },
    async ({ panel, workspace }) => {
      await panel.open();
      await panel.send('wait');
      await panel.waitForTool('execute_command', 'running');
      // The card shows the command, including the word that it prints, before it starts.
      const pid = await until('the command to begin', async () => Number(await workspace.read('pid.txt')));
      process.kill(pid, 0);
      await panel.waitForText(/begun[^]*begun/, 'tool');
      await panel.stop();
      await panel.waitForTool('execute_command', 'cancelled');
      await until('the command to be gone', () => Promise.resolve(isGone(pid)));
    },
  );

  scene(
    'shows a command in a terminal with its output, limited to colors, and stops it there with Ctrl+C',
    {
      settings: { ...freely, 'terminal.integrated.gpuAcceleration': 'off' },
      model: [
        {
          call: [
            {
              name: 'execute_command',
              arguments: {
                command:
                  "printf '\\033]0;evil title\\007\\033[32mbegun\\033[0m\\n'; echo $$ > pid.txt; sleep 600; echo never",
              },
            },
          ],
        },
        (request) => ({ say: /stopped this command/.test(request.lastText) ? 'Then without it.' : 'Not told.' }),
      ],
    },
    async ({ panel, window, workspace }) => {
      await panel.open();
      await panel.send('wait');
      await panel.waitForTool('execute_command', 'running');
      await panel.waitForText('begun', 'tool');
      await panel.press('Show in terminal');
      // Rendered as DOM elements, which can be read.
      const written = () => window.page.locator('.terminal.xterm .xterm-rows').last().innerText({ timeout: 5000 });
      await until('what it wrote', async () => /\$.printf[^]*never[^]*begun/.test(await written()));
      const names = () => window.ev(({ vscode }) => vscode.window.terminals.map(({ name }) => name));
      assert.match((await names()).join(), /^Cairn: printf/);
      await window.command('workbench.action.terminal.focus');
      await window.page.locator('.terminal.xterm.focus').first().waitFor();
      await window.page.keyboard.press('Control+c');
      await panel.waitForTool('execute_command', 'cancelled');
      await until('the end', async () => /Stopped\..Press.any.key.to.close/.test(await written()));
      const pid = Number(await workspace.read('pid.txt'));
      await until('the command to be gone', () => Promise.resolve(isGone(pid)));
      await panel.waitForText('Then without it.', 'text');
      await panel.press('Show in terminal');
      await until('the terminal that is there', async () => (await names()).length === 1);
      await window.command('workbench.action.terminal.killAll');
      await until('it to be closed', async () => (await names()).length === 0);
      await panel.press('Show in terminal');
      await until('what is known of it', async () => /begun[^]*Press.any.key.to.close/.test(await written()));
      await window.command('workbench.action.terminal.killAll');
    },
  );

  scene(
    'stops at its limit, reports which, and continues on request',
    {
      settings: { 'cairn.limits': { turns: 1 } },
      model: [{ say: 'I look.', call: [{ name: 'fs_ls', arguments: {} }] }, { say: 'All seen.' }],
    },
    async ({ panel, model }) => {
      await panel.open();
      await panel.send('look around');
      await panel.waitForText('it reached its limit of turns', 'notice');
      await panel.waitForText('raise the limit in the setting cairn.limits', 'notice');
      assert.equal(model.requests.length, 1);
      await panel.press('Continue');
      await panel.waitForText('All seen.', 'text');
    },
  );

  scene(
    'can be stopped in the middle of a stream, keeps the text, and accepts the next message',
    [{ say: 'A very long answer that is still going on', chunk: 12, hold: 'forever' }, { say: 'Back again.' }],
    async ({ panel, model }) => {
      await panel.open();
      await panel.send('talk');
      await panel.waitForText('A very long', 'text');
      await panel.stop();
      await model.requests[0]?.hungUp;
      await until('the composer to send again', async () => (await panel.button('Send')).isVisible());
      await panel.waitForText('A very long', 'text');
      await panel.send('are you there?');
      await panel.waitForText('Back again.', 'text');
    },
  );

  scene(
    'can be resumed with one click after a stop',
    [{ say: 'The first half of an answer', chunk: 12, hold: 'forever' }, { say: 'And the other half.' }],
    async ({ panel, model }) => {
      await panel.open();
      await panel.send('talk');
      await panel.waitForText('The first', 'text');
      await panel.stop();
      await model.requests[0]?.hungUp;
      await panel.press('Continue');
      await panel.waitForText('And the other half.', 'text');
      assert.match(model.requests.find(({ lastText }) => /cut off/.test(lastText))?.lastText ?? '', /^Continue where/);
    },
  );

  scene(
    'accepts a message, which the model sees next',
    [
      { say: 'I look.', hold: 'look', call: [{ name: 'fs_ls', arguments: {} }] },
      (request) => ({ say: `You added: ${request.messages.at(-1)?.text ?? ''}` }),
    ],
    async ({ panel, model }) => {
      await panel.open();
      await panel.send('look around');
      await panel.waitForText('I look', 'text');
      await panel.send('but hurry');
      const queue = (await panel.frame()).getByRole('region', { name: 'Queued messages' });
      await until('the message to wait', async () => (await queue.innerText()).includes('but hurry'));
      model.release('look');
      await panel.waitForText('You added: but hurry', 'text');
      const said = (await panel.entries()).filter(({ kind }) => kind === 'user').map(({ text }) => text);
      assert.equal(said.filter((text) => text.includes('but hurry')).length, 1);
    },
  );

  scene(
    'shows a question with its options, and passes the answer to the model',
    [
      { call: [{ name: 'user__ask', arguments: { question: 'Tabs or spaces?', options: ['tabs', 'spaces'] } }] },
      (request) => ({ say: `Then ${request.lastText}` }),
    ],
    async ({ panel }) => {
      await panel.open();
      await panel.send('ask me');
      assert.match(await panel.waitForQuestion(), /Tabs or spaces\?/);
      assert.deepEqual(await panel.questionOptions(), ['tabs', 'spaces']);
      await panel.answer('spaces');
      await panel.waitForText(/Then .*spaces/s, 'text');
    },
  );

  scene(
    'keeps the list of to-dos in view',
    [
      { call: [{ name: 'todo__init', arguments: { todos: ['Find the cause', 'Fix it'] } }] },
      { call: [{ name: 'todo__done', arguments: { id: 1 } }] },
      { say: 'One to go.' },
    ],
    async ({ panel }) => {
      await panel.open();
      await panel.send('plan');
      await panel.waitForText('One to go.', 'text');
      const main = await panel.locate('main');
      await until('the count of to-dos', async () => /1\/2/.test((await main.innerText()).replaceAll(' ', '')));
    },
  );
});
