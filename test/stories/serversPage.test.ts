import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textEditorFocused } from '../editor/focusFile';
import { pageFrame } from '../editor/pageFrame';
import { pressInDialog } from '../editor/pressInDialog';
import { pressKey } from '../editor/pressKey';
import { repeatUntil } from '../editor/repeatUntil';
import { repoRoot } from '../editor/repoRoot';
import { story } from '../editor/story';
import { until } from '../editor/until';

const FAULTY = join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs');
const server = (fault: string) => ({ command: 'node', args: [FAULTY, fault] });
const echo = { call: [{ name: 'mcp__theirs__echo', arguments: { text: 'x' } }] };

describe('The MCP servers page', () => {
  story(
    'allows a server, shows it from its start through a call to its last output, restarts it, and turns tools off',
    {
      settings: { 'cairn.model': 'openai:test-model', 'cairn.approvalMode': 'nothing' },
      files: {
        '.mcp.json': JSON.stringify({ mcpServers: { theirs: server('falls-after-2'), gone: server('exits') } }),
      },
      model: [echo, { say: 'It spoke.' }, echo, { say: 'It fell.' }, { say: 'That.' }],
    },
    async ({ session, window, panel, model }) => {
      await panel.open();
      await window.startCommand('cairn.showMcpServers');
      const frame = await pageFrame(window, 'Cairn MCP Servers');
      await frame.getByRole('region', { name: 'Yours' }).getByText('No servers').waitFor();
      const theirs = frame.getByRole('article', { name: 'theirs' });
      await theirs.getByText('Waits', { exact: true }).waitFor();
      await theirs.getByText(`node ${FAULTY} falls-after-2`).waitFor();
      await pressKey(theirs.getByRole('button', { name: 'Allow… theirs' }));
      await pressInDialog(window, 'Allow');
      await theirs.getByText('Started', { exact: true }).waitFor();

      await panel.send('Say x.');
      await panel.waitForText('It spoke.', 'text');
      await theirs.getByText('Called', { exact: true }).waitFor();
      await theirs.getByText('1 call', { exact: false }).first().waitFor();
      await theirs.getByText(/^Last call: echo, .* m?s$/).waitFor();
      await panel.send('Say x again.');
      await panel.waitForText('It fell.', 'text');
      assert.match(
        model.requests.map(({ lastText }) => lastText).join('\n'),
        /It ended with status 9\. It last said: [^]*The next call starts it again\./,
      );
      await theirs.getByText('Failed', { exact: true }).waitFor();
      await theirs.getByText(/2 calls · 1 failed · .* on average/).waitFor();
      await theirs
        .getByRole('status')
        .getByText(/is gone\. It ended with status 9\./)
        .waitFor();
      await pressKey(theirs.getByRole('button', { name: 'Start theirs', exact: true }));
      await theirs.getByText('Called', { exact: true }).waitFor();

      await theirs.getByText('3 tools').click();
      await theirs.getByLabel('Models are told about fall').selectOption('off');
      await theirs.getByText('tokens in each request').waitFor();
      const kept = () => readFile(join(session.configDir, 'mcp-offers.json'), 'utf8').catch(() => '');
      await until('it to be kept', async () => /"fall": "off"/.test(await kept()));
      await panel.send('What can you do?');
      await panel.waitForText('That.', 'text');
      const tools = model.requests.at(-1)?.tools ?? [];
      assert.ok(tools.includes('mcp__theirs__echo') && !tools.includes('mcp__theirs__fall'), tools.join());

      await pressKey(theirs.getByRole('button', { name: 'Show Log theirs' }));
      const log = window.page.locator('[id="workbench.panel.output"] .view-line');
      await log
        .filter({ hasText: /\[Cairn\].Ready\./ })
        .first()
        .waitFor();
      await pressKey(theirs.getByRole('button', { name: 'Stop theirs', exact: true }));
      await theirs.getByText('Known', { exact: true }).waitFor();

      const gone = frame.getByRole('article', { name: 'gone' });
      await pressKey(gone.getByRole('button', { name: 'Allow… gone' }));
      await pressInDialog(window, 'Allow');
      await gone
        .getByRole('status')
        .getByText(/did not start: It ended with status 3\. .*no configuration was found/)
        .waitFor();
    },
  );

  story(
    'asks once for the inputs of a server in .vscode/mcp.json, and stores them as secrets',
    {
      settings: { 'cairn.model': 'openai:test-model' },
      files: {
        '.vscode/mcp.json': JSON.stringify({
          inputs: [{ id: 'tools', type: 'promptString', description: 'How many tools', password: true }],
          servers: { theirs: server('${input:tools}') },
        }),
      },
      model: [],
    },
    async ({ window, panel }) => {
      await panel.open();
      await window.startCommand('cairn.showMcpServers');
      const frame = await pageFrame(window, 'Cairn MCP Servers');
      const theirs = frame.getByRole('article', { name: 'theirs' });
      await theirs.getByText(`node ${FAULTY} '\${input:tools}'`).waitFor();
      await pressKey(theirs.getByRole('button', { name: 'Allow… theirs' }));
      await pressInDialog(window, 'Allow');
      const box = window.page.locator('.quick-input-widget:visible');
      await box.getByText('asks: How many tools').waitFor();
      await box.locator('input[type=password]').waitFor();
      await panel.giveInput('many');
      await theirs.getByText('500 tools').waitFor();
      await pressKey(theirs.getByRole('button', { name: 'Stop theirs', exact: true }));
      await theirs.getByText('Known', { exact: true }).waitFor();
      await pressKey(theirs.getByRole('button', { name: 'Start theirs', exact: true }));
      await theirs.getByText('Started', { exact: true }).waitFor();
    },
  );

  story(
    'adds a server to a file with comments, opens it there, reports errors during typing, and starts it',
    {
      settings: { 'cairn.model': 'openai:test-model' },
      files: {
        '.cairn/mcp.json': '{\n  // For the team.\n  "mcpServers": {\n    "old": { "command": "x" } // keep\n  }\n}\n',
      },
    },
    async ({ window, panel, workspace }) => {
      await panel.open();
      await window.startCommand('cairn.showMcpServers');
      const frame = await pageFrame(window, 'Cairn MCP Servers');
      await pressKey(frame.getByRole('button', { name: 'Add MCP Server…' }));
      await panel.pick('Command line');
      await panel.giveInput(`LEVEL=1 node "${FAULTY}" none`);
      await panel.pick('This workspace');
      await panel.giveInput('theirs');
      const path = workspace.resolve('.cairn/mcp.json');
      await until('the file to be open at the server', () =>
        window.ev(({ vscode }, file) => {
          const editor = vscode.window.activeTextEditor;
          return editor?.document.uri.fsPath === file && editor.selection.active.line === 4;
        }, path),
      );
      assert.match(
        await readFile(path, 'utf8'),
        /\/\/ For the team\.[^]*"old": \{ "command": "x" \}, \/\/ keep\n {4}"theirs": \{\n[^]*"LEVEL": "1"/,
      );

      const problems = () =>
        window.ev(
          ({ vscode }, file) => vscode.languages.getDiagnostics(vscode.Uri.file(file)).map(({ message }) => message),
          path,
        );
      await window.ev(async ({ vscode }) => {
        await vscode.window.activeTextEditor?.edit((edit) => edit.insert(new vscode.Position(5, 0), '"cwd": 7,\n'));
      });
      await until('the problem to be told', async () =>
        (await problems()).some((one) => one.includes('the server “theirs” is left out: cwd')),
      );
      await textEditorFocused(window);
      await window.startCommand('undo');
      await until('the problem to be gone', async () => (await problems()).length === 0);

      const notice = window.page.locator('.notification-list-item', { hasText: 'The MCP server theirs was added.' });
      await window.command('notifications.showList');
      const launch = window.page.locator('.monaco-dialog-box').getByText(`LEVEL=1 node ${FAULTY} none`);
      await repeatUntil(
        'the launch line',
        () => notice.first().getByRole('button', { name: 'Start' }).click({ timeout: 5000 }),
        () => launch.isVisible(),
        'redrawn',
      );
      await pressInDialog(window, 'Allow');
      await window.page.getByText('The MCP server theirs is ready and has 3 tools.').first().waitFor();
    },
  );
});
