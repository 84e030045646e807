import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pressInDialog } from '../editor/pressInDialog';
import { repoRoot } from '../editor/repoRoot';
import { story } from '../editor/story';

const FAULTY = join(repoRoot, 'test/fixtures/mcp/faultyServer.mjs');
const echo = (text: string) => ({ call: [{ name: 'mcp__theirs__echo', arguments: { text } }] });

describe('MCP servers in the editor', () => {
  story(
    'of a workspace are started once their launch line was read and allowed, and their calls are asked about',
    {
      settings: { 'cairn.model': 'openai:test-model' },
      model: [{ say: 'I have no such tool.' }, echo('hello'), { say: 'It said hello.' }],
    },
    async ({ window, panel, workspace, model }) => {
      const servers = { theirs: { command: 'node', args: [FAULTY, 'none'] } };
      await workspace.write('.mcp.json', JSON.stringify({ mcpServers: servers }));
      await panel.open();
      await panel.send('Say hello.');
      await panel.waitForText('I have no such tool.', 'text');
      await panel.waitForText('“theirs”', 'notice');
      assert.ok(!model.requests[0]?.tools.some((name) => name.startsWith('mcp')));

      await window.startCommand('cairn.manageMcpServers');
      const list = window.page.locator('.quick-input-widget:visible');
      await list.getByText('waits to be allowed').waitFor();
      await window.page.keyboard.press('Enter');
      const dialog = window.page.locator('.monaco-dialog-box');
      await dialog.getByText(`node ${FAULTY} none`).waitFor();
      await pressInDialog(window, 'Allow');
      await window.page.getByText('The MCP server theirs is ready and has 3 tools.').first().waitFor();

      await panel.send('Now say hello.');
      await panel.waitForApproval();
      await panel.approve();
      await panel.waitForText('It said hello.', 'text');
      assert.match(
        model.requests.map(({ lastText }) => lastText).join('\n'),
        /data from the MCP server theirs[^]*You said: hello/,
      );
    },
  );
});
