import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pageFrame } from '../editor/pageFrame';
import { pressKey } from '../editor/pressKey';
import { story } from '../editor/story';
import { until } from '../editor/until';

describe('The permissions page', () => {
  story(
    'lists every rule with what it allowed, adds, narrows and removes rules, and tests a command line',
    {
      settings: { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'edits-and-commands' },
      files: {
        '.cairn/permissions.json': JSON.stringify({
          rules: [{ tool: 'execute_command', argument: { kind: 'command', words: ['git', 'push'] }, action: 'deny' }],
        }),
      },
      model: [{ call: [{ name: 'execute_command', arguments: { command: 'echo ran' } }] }, { say: 'It ran.' }],
    },
    async ({ session, window, panel }) => {
      const saved = () => readFile(join(session.configDir, 'permissions.json'), 'utf8').catch(() => '');
      await panel.open();
      await window.startCommand('cairn.showPermissions');
      const frame = await pageFrame(window, 'Cairn Permissions');
      const here = frame.getByRole('region', { name: 'This workspace' });
      await here.getByText('No rules').waitFor();
      await frame.getByRole('region', { name: 'From the repository' }).getByText('execute_command: git push').waitFor();

      const line = frame.getByRole('textbox', { name: 'Test a command line' });
      const told = frame.getByRole('status');
      await line.fill('echo ran');
      await pressKey(line);
      await told.getByText('Asks').waitFor();
      await line.fill('git push --force');
      await pressKey(line);
      await told.getByText('Denied').waitFor();
      assert.match(await told.innerText(), /git push --force[^]*workspace rule “deny execute_command: git push”/);

      await frame.getByRole('textbox', { name: 'Command', exact: true }).fill('echo ran; rm -rf /');
      await pressKey(frame.getByRole('button', { name: 'Add', exact: true }));
      await frame.getByRole('alert').getByText('Enter one simple command, such as npm test.').waitFor();
      assert.equal(await saved(), '');
      await frame.getByRole('textbox', { name: 'Command', exact: true }).fill('echo ran');
      await pressKey(frame.getByRole('button', { name: 'Add', exact: true }));
      await here.getByText('execute_command: echo ran with harmless options').waitFor();
      await until('it to be saved', async () => /"echo",\s*"ran"/.test(await saved()));

      await panel.send('run it');
      await panel.waitForText('It ran.', 'text');
      await window.startCommand('cairn.showPermissions');
      await here.getByText(/^Used once, last on .*: /).waitFor();
      await pressKey(here.getByRole('button', { name: /^Narrow/ }));
      await here.getByText('execute_command: echo ran and nothing else').waitFor();
      await until('it to be saved', async () => /"rest": "nothing"/.test(await saved()));
      assert.equal(await here.getByRole('button', { name: /^Narrow/ }).count(), 0);
      await pressKey(here.getByRole('button', { name: /^Remove/ }));
      await here.getByText('No rules').waitFor();
      await until('it to be gone from the file', async () => !(await saved()).includes('echo'));
    },
  );
});
